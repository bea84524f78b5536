import type { JsonObject } from '../../json/value.ts';
import type { Explained, Sides, Step } from '../case.ts';
import type { CauseName } from '../causes.ts';
import { messagesOf } from '../prompt.ts';
import { shown } from '../text.ts';

/** ERR: an answer came, but an error, or nothing that is a chat answer. */
export const err: Step = (found) => {
  const { field, turn } = found;
  if (field !== 'http_status' || turn?.outcome === 'no_answer') return undefined;
  if (!turn) return ended(found);
  const text = turn.error ?? '';
  const says = (cause: CauseName, sentence: string, ...more: string[]): Explained => ({
    layer: 'ERR',
    cause,
    says: sentence,
    evidence: [`status ${turn.http_status}: ${shown(text, 160)}`, ...more],
    side: 'lane',
  });
  if (turn.outcome === 'answered') return ended(found);
  if (turn.outcome === 'unreadable') {
    return /stream of events/.test(text)
      ? says('stream-instead', 'a stream of events came, though none was asked for')
      : says('no-chat-answer', 'the body is no chat answer');
  }
  for (const [pattern, cause, sentence] of TEXTS) if (pattern.test(text)) return says(cause, sentence);
  const own = ownReply(found);
  if (own && (/tool_calls|arguments/.test(text) || turn.http_status === 400)) {
    return says('own-reply-refused', 'the server refuses a history that holds its own reply', own);
  }
  return (turn.http_status ?? 0) >= 500
    ? says('server-error', 'the server failed on the request; only its log says why')
    : says('request-refused', 'the server refused the request');
};

const TEXTS: readonly [RegExp, CauseName, string][] = [
  [
    /too many values to unpack|not enough values to unpack|unexpected keyword argument/,
    'engine-interface',
    'server and engine do not fit each other: one hands over what the other does not take',
  ],
  [
    /Can only get item pairs from a mapping/,
    'arguments-not-decoded',
    'the template gets call arguments as text and fails on them',
  ],
  [
    /context length|max_model_len|max_num_tokens|max_seq_len/i,
    'context-overflow',
    'the prompt does not fit the context',
  ],
];

/** A call of an earlier answer whose arguments are no JSON object, sent back as it came. */
function ownReply({ request, earlier }: Sides): string | undefined {
  const answers = request ? messagesOf(request).filter(isAnswer) : [];
  if (answers.length === 0) return undefined;
  for (const turn of earlier) {
    for (const { name, arguments: text } of turn.tool_calls ?? []) {
      if (!isObjectText(text))
        return `turn ${turn.turn} answered with a call of ${name} whose arguments are ${shown(text)}`;
    }
  }
  return undefined;
}

const isAnswer = (message: JsonObject): boolean => message.get('role') === 'assistant';

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

const ended = ({ difference }: Sides): Explained => ({
  layer: 'ERR',
  cause: 'conversation-ended',
  says: difference.summary,
  side: 'lane',
});
