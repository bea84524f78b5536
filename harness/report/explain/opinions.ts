import type { Json } from '../../json/value.ts';
import type { Opinion } from '../../oracle/opinions.ts';
import type { Oracle } from '../../oracle/oracle.ts';
import type { Transcript } from '../../schemas/types.ts';
import { type Explanation, SHARED } from '../explain.ts';
import type { Judged } from './judged.ts';
import type { TextField } from './texts.ts';

/** What each engine's parsers make of the lane's reply in one field, and which side says the same. */
export function opinionsOf(
  oracle: Oracle,
  { parsers }: Transcript,
  { turn, expected, against }: Judged,
  field: TextField,
  definitions: readonly Json[] | undefined,
): Explanation['opinions'] {
  const ids = turn.generation_token_ids;
  if (!ids) return [];
  const { thinking, tools } = turn;
  const opinions = oracle.opinions(ids, { parsers, thinking, tools, definitions });
  const left = spelled(expected?.[field]);
  const right = spelled(turn[field]);
  return opinions.map((opinion) => ({
    who: nameOf(opinion),
    text: wordsOf(opinion, field, { left, right, against }),
  }));
}

const nameOf = ({ engine, sharedWithEmulation }: Opinion): string =>
  sharedWithEmulation ? `${engine} ${SHARED}` : engine;

function wordsOf(
  opinion: Opinion,
  field: TextField,
  { left, right, against }: { left: string; right: string; against: string },
): string {
  if (opinion.outcome === 'unknown') return `no opinion: ${opinion.why}`;
  if (opinion.outcome === 'fails') return `the server would fail: ${opinion.why}`;
  const said = spelled(field === 'tool_calls' ? opinion.message.calls : opinion.message[field]);
  const sides = [
    ...(said === left ? [against === 'golden' ? 'the golden' : against] : []),
    ...(said === right ? ['the lane'] : []),
  ];
  return sides.length === 0 ? `otherwise: ${said}` : `as ${sides.join(' and ')}`;
}

/** A field's value to compare and to show; no calls are no calls, however a server spells that. */
function spelled(value: string | null | undefined | readonly { name: string; arguments: string }[]): string {
  if (value === undefined || value === null) return 'none';
  if (typeof value === 'string') return JSON.stringify(value);
  return value.length === 0
    ? 'none'
    : value.map(({ name, arguments: text }) => `${name}(${text})`).join(', ');
}
