import type { FieldDifference } from '../compare/difference.ts';
import type { Field, History } from '../domain.ts';
import type { CoreTurn } from '../goldens/codec.ts';
import type { JsonObject } from '../json/value.ts';
import type { Oracle } from '../oracle/oracle.ts';
import type { Speaker } from '../oracle/speaker.ts';
import type { Finding, ProjectedMessage, TranscriptTurn } from '../schemas/types.ts';
import type { CauseName } from './causes.ts';

/** The layer that a finding comes from. */
export type Layer = Finding['verdict'];
/** Whom the local oracle agrees with. */
export type Reference = Finding['reference'];
/** Which side is wrong: the lane, what it is compared with, both, neither, or not verified. */
export type Side = NonNullable<Finding['deviates']>;

/** One first finding with everything that may explain it. Plain values; nothing here is read or asked for later. */
export interface Case {
  field: Field;
  difference: FieldDifference;
  /** On a token lane: the oracle made this field itself, so asking it again would be no opinion. */
  selfMade: boolean;
  /** Server kind and parsers of the lane. */
  speaker: Speaker;
  eos: 'kept' | 'trimmed';
  history: History;
  /** The lane's turn; absent when it was never asked. */
  turn: TranscriptTurn | undefined;
  /** The lane's turns before it, the nearest last. */
  earlier: readonly TranscriptTurn[];
  /** The other side's tokens and message of this turn; absent where only invariants are checked. */
  core: CoreTurn | undefined;
  message: ProjectedMessage | undefined;
  /** The body that was sent to the lane. */
  request: JsonObject | undefined;
  /** The other lane, when it is not a golden: who it is and what it was asked. */
  other: { speaker: Speaker; request: JsonObject | undefined } | undefined;
  /** Ids that the scripted model must say in this turn; absent where the model is not scripted. */
  script: readonly number[] | undefined;
  oracle: Oracle;
}

/** What one step of the ladder found. */
export interface Explained {
  layer: Layer;
  /** Absent where only the layer is known. */
  cause?: CauseName;
  /** One clause about the side that deviates. */
  says: string;
  /** What a reader can check: ids, texts, indices. */
  evidence?: string[];
  /** Where the step itself proves who is wrong: a promise broken, an answer that contradicts itself. */
  side?: Side;
}

/** One rung: explains a case, or passes it on. */
export type Step = (found: Sides) => Explained | undefined;

/** The message fields of an answer in one shape. */
export interface Message {
  content: string | null | undefined;
  reasoning: string | null | undefined;
  calls: readonly { name: string; arguments: string }[] | null | undefined;
  finish: string | null | undefined;
}

/**
 * A case seen from who is right. `good` is the side that the oracle agrees with, the expected one while nobody knows; `bad` is
 * the other. Sentences speak of `bad`.
 */
export interface Sides extends Case {
  reference: Reference;
  /** The prompt that the oracle makes of the request as it was sent; only where a prompt is in question. */
  asked: readonly number[] | undefined;
  /** Each side gave what the oracle expects of its own server kind: the difference is one to list. */
  asTheirKind: boolean;
  /** How evidence calls the two: `expected` and `lane`. */
  names: { good: string; bad: string };
  prompt: Pair<readonly number[]>;
  generation: Pair<readonly number[]>;
  said: Pair<Message>;
}

export interface Pair<T> {
  good: T | undefined;
  bad: T | undefined;
}
