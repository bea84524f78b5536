import type { Teleprompter } from '../../teleprompter/speak.ts';
import type { Fault } from '../fault.ts';
import type { Gate } from './gate.ts';
import type { Renderer } from './prompt.ts';
import type { Parsers } from './reply.ts';

/** A started chat server's parts. */
export interface Chat {
  renderer: Renderer;
  parsers: Parsers;
  gate: Gate;
  /** Served name. */
  model: string;
  maxModelLen: number;
  teleprompter: Teleprompter;
  fault: Fault | undefined;
}
