import type { Fault } from './fault.ts';
import { answerFaults } from './faults/answer.ts';
import { callFaults } from './faults/calls.ts';
import { generationFaults } from './faults/generation.ts';
import { messageFaults } from './faults/message.ts';
import { promptFaults } from './faults/prompt.ts';
import { requestFaults } from './faults/request.ts';

export { actsOn, type Fault } from './fault.ts';

/** Every planted defect by name, in the order of the server's steps. Each is deterministic. */
export const FAULTS: readonly Fault[] = [
  ...requestFaults,
  ...promptFaults,
  ...generationFaults,
  ...messageFaults,
  ...callFaults,
  ...answerFaults,
];
