import type { ToolCall } from '../../schemas/types.ts';
import type { Explained, Sides } from '../case.ts';
import type { JsonDifference } from '../json-text.ts';
import { schemaVerdicts } from '../schema.ts';
import { shown } from '../text.ts';

type Call = Pick<ToolCall, 'name' | 'arguments'>;

/** What differs in the arguments of one call, with both texts and what the offered schema says of them; `at` is 0-based. */
export const argumentsExplained = (
  found: Sides,
  at: number,
  [mine, theirs]: readonly [Call, Call],
  { cause, says, spelling }: JsonDifference,
): Omit<Explained, 'layer'> => ({
  ...(cause ? { cause } : {}),
  says: `arguments of call ${at + 1} (${theirs.name}): ${says}`,
  evidence: [
    `${found.names.good}: ${shown(mine.arguments)}`,
    `${found.names.bad}: ${shown(theirs.arguments)}`,
    `as bytes: different; as JSON: ${spelling ? 'equal' : 'different'}`,
    schemaVerdicts(found, theirs.name, mine.arguments, theirs.arguments),
  ],
});
