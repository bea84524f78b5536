import type { Field } from '../domain.ts';
import type { Transcript } from '../schemas/types.ts';
import type { FieldResult, Outcome } from './outcome.ts';

const IDS: readonly Field[] = ['http_status', 'prompt_token_ids', 'generation_token_ids'];
const MESSAGE: readonly Field[] = ['reasoning', 'tool_calls', 'content'];
const FOLLOW_MESSAGE: readonly Field[] = [...MESSAGE, 'finish_reason', 'conservation', 'expect'];

/** Tells a first cause from what only follows from it. */
export class Roots {
  private readonly transcript: Transcript;
  /** A difference that every later turn inherits. */
  private inherited: string | undefined;
  private turn = 0;
  private idRoot: string | undefined;
  private messageRoot: string | undefined;
  private turnRoot: string | undefined;

  constructor(transcript: Transcript) {
    this.transcript = transcript;
  }

  place(turn: number, field: Field, result: FieldResult): Outcome {
    if (turn !== this.turn) this.enter(turn);
    if (!('difference' in result)) return { status: 'equal', ...result };
    const { difference } = result;
    const from =
      this.inherited ??
      this.idRoot ??
      (FOLLOW_MESSAGE.includes(field) ? this.messageRoot : undefined) ??
      (field === 'expect' ? this.turnRoot : undefined);
    if (from !== undefined) return { status: 'follows', difference, from };
    const name = `${this.transcript.scenario}:${turn} ${field}`;
    this.turnRoot ??= name;
    if (IDS.includes(field)) this.idRoot = name;
    if (MESSAGE.includes(field)) this.messageRoot = name;
    return { status: 'differs', difference };
  }

  private enter(turn: number): void {
    // Another history cannot be compared: with `own` continuation other ids carry over, and when the prompt is rendered
    // from messages, other messages do. A turn that continues a golden starts afresh.
    const ended = this.transcript.turns[turn - 1] === undefined;
    if (this.transcript.continuation === 'own' || ended) {
      const messages = this.transcript.history === 'rerendered' ? this.messageRoot : undefined;
      this.inherited ??= this.idRoot ?? messages;
    }
    this.turn = turn;
    this.idRoot = undefined;
    this.messageRoot = undefined;
    this.turnRoot = undefined;
  }
}
