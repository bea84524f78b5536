import { JsonNumber } from '../json/value.ts';

/** A Python number without its sign, to be matched where one may begin. */
export const NUMBER =
  /0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:\d(?:_?\d)*\.?(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?[jJ]?/y;

/**
 * A number that {@link NUMBER} found, as JSON spells it: another base becomes decimal, a bare dot gets its digit. Undefined for
 * what is none, such as `01`.
 */
export function readNumber(found: string, sign: '' | '-'): JsonNumber | 'complex' | undefined {
  const digits = found.replaceAll('_', '');
  if (digits === '' || /^0+[1-9]\d*$/.test(digits)) return undefined;
  if (/^0[xob]/i.test(digits) || /^\d+$/.test(digits)) {
    const whole = String(BigInt(digits));
    return new JsonNumber(whole === '0' ? whole : sign + whole);
  }
  if (/j$/i.test(digits)) return 'complex';
  const spelled = digits
    .replace(/^\./, '0.')
    .replace(/\.(?=e|$)/i, '.0')
    .replace(/^0+(?=\d)/, '');
  return new JsonNumber(sign + spelled);
}
