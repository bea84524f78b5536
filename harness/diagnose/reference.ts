import type { Expected } from '../compare/judge.ts';
import type { Field } from '../domain.ts';
import type { JsonObject } from '../json/value.ts';
import type { Oracle } from '../oracle/oracle.ts';
import type { Speaker } from '../oracle/speaker.ts';
import type { Finding, ProjectedMessage, TranscriptTurn } from '../schemas/types.ts';

export type Reference = Finding['reference'];

export interface ReferenceInput {
  field: Field;
  speaker: Speaker;
  turn: TranscriptTurn;
  expected: Expected;
  oracle: Oracle;
  /** The body that was sent, for what only the request tells. */
  request: JsonObject | undefined;
}

/** Whom the local oracle agrees with in one field: the golden, the lane, neither; unknown where it has no opinion. */
export function referenceOf({ field, speaker, turn, expected, oracle, request }: ReferenceInput): Reference {
  const core = expected.core[turn.turn - 1];
  const message = expected.messages?.[turn.turn - 1];
  if (!core || !message) return 'unknown';
  if (field === 'prompt_token_ids') {
    const opinion = request && oracle.promptIds(speaker.server, request);
    return opinion ? vote(opinion, core.prompt, turn.prompt_token_ids) : 'unknown';
  }
  if (field !== 'content' && field !== 'reasoning' && field !== 'tool_calls') return 'unknown';
  const ids = turn.generation_token_ids;
  if (!ids) return 'unknown';
  const definitions = request?.get('tools');
  const mode = Array.isArray(definitions) ? { ...turn, definitions } : turn;
  const parsed = oracle.parse(speaker, ids, mode);
  if (!parsed) return 'unknown';
  const opinion: ProjectedMessage = {
    content: parsed.content,
    reasoning: parsed.reasoning,
    finish_reason: 'stop',
  };
  if (parsed.calls.length > 0) opinion.tool_calls = parsed.calls;
  return vote(opinion[field] ?? null, message[field] ?? null, bare(turn, field));
}

function bare(turn: TranscriptTurn, field: 'content' | 'reasoning' | 'tool_calls'): unknown {
  if (field !== 'tool_calls') return turn[field] ?? null;
  return turn.tool_calls?.map(({ name, arguments: text }) => ({ name, arguments: text })) ?? null;
}

function vote(opinion: unknown, expected: unknown, actual: unknown): Reference {
  // Where both sides say the same, a finding is about the value itself and there is nobody to side with.
  if (JSON.stringify(expected) === JSON.stringify(actual)) return 'unknown';
  const spelled = JSON.stringify(opinion);
  if (spelled === JSON.stringify(expected)) return 'expected';
  return spelled === JSON.stringify(actual) ? 'actual' : 'neither';
}
