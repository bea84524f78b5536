import type { Field } from '../domain.ts';
import type { Waiver } from '../schemas/types.ts';
import type { FieldDifference } from './difference.ts';

/** How much was compared: green must have a size. */
export interface Compared {
  ids: number;
  /** Ids among them that the server made or chose; the others only echo what the client sent. */
  serverIds: number;
  bytes: number;
}

export type Outcome =
  | ({ status: 'equal' } & Compared)
  | { status: 'differs'; difference: FieldDifference }
  /** Differs only because something before it did; `from` names that. */
  | { status: 'follows'; difference: FieldDifference; from: string }
  /** Differs exactly as a valid waiver pins it. */
  | { status: 'waived'; difference: FieldDifference; waiver: Waiver };

/** One check of one field of one turn: what `parity run` asserts. */
export interface Assertion {
  lane: string;
  scenario: string;
  turn: number;
  field: Field;
  /** `golden`, or the lane it is compared with. */
  against: string;
  outcome: Outcome;
}

/** What comparing one field found, before it is known what it follows from. */
export type FieldResult = { difference: FieldDifference } | Compared;
