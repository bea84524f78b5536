import { truthy } from '../../json/truthy.ts';
import { type Json, JsonNumber, type JsonObject } from '../../json/value.ts';
import { strip } from '../../oracle/strip.ts';
import { exception } from '../refusal.ts';
import { refused } from './refused.ts';
import type { Chat } from './started.ts';

/**
 * How many ids may be generated after a prompt of this length: `max_tokens`, or else `max_completion_tokens`, or else all the
 * window leaves, a falsy value counting as none. Throws 400 for a prompt that fills the window or is too long for the engine,
 * 500 for a limit Python's `int` cannot read and one the engine cannot take.
 */
export function tokenBudget(body: JsonObject, length: number, { maxSeqLen, maxNumTokens }: Chat): number {
  const room = maxSeqLen - length;
  if (room <= 0) {
    const used = `prompt (${length} tokens) exhausted context window (${maxSeqLen})`;
    throw refused(`context length exceeded: ${used}`);
  }
  const budget = Math.min(requested(body) ?? maxSeqLen, room);
  if (length > maxNumTokens) {
    const engine = `The sum of prompt length (${length}) should not exceed max_num_tokens (${maxNumTokens})`;
    throw refused(`context length exceeded: ${engine}`);
  }
  if (budget < 1) throw exception('the engine wants at least one token');
  return budget;
}

function requested(body: JsonObject): number | undefined {
  const given = ['max_tokens', 'max_completion_tokens'].map((key) => body.get(key)).find(truthy);
  return given === undefined ? undefined : pythonInt(given);
}

/** Python's `int`: floats lose their fraction, texts of digits are read. Throws for anything else. */
function pythonInt(value: Json): number {
  if (typeof value === 'boolean') return Number(value);
  if (value instanceof JsonNumber && Number.isFinite(value.value)) return Math.trunc(value.value);
  const digits = typeof value === 'string' ? strip(value) : '';
  if (!/^[+-]?\d+(_\d+)*$/.test(digits)) throw exception('a token limit that is no number');
  return Number(digits.replaceAll('_', ''));
}
