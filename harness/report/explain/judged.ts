import type { ProjectedMessage, TranscriptTurn } from '../../schemas/types.ts';

/** What the parts of an explanation need of both sides. */
export interface Judged {
  turn: TranscriptTurn;
  expected: ProjectedMessage | undefined;
  against: string;
}
