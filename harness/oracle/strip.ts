/** What Python takes for blank: unlike JavaScript, U+001C to U+001F and U+0085, but not U+FEFF. */
const BLANKS =
  '\t\n\v\f\r\u001c\u001d\u001e\u001f \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a' +
  '\u2028\u2029\u202f\u205f\u3000';

export type Sides = 'both' | 'left' | 'right';

/** Python's `str.strip`, `lstrip` and `rstrip`: blanks, or any of the characters given, off the ends. */
export function strip(text: string, sides: Sides = 'both', chars: string = BLANKS): string {
  const set = new Set(chars);
  const points = [...text];
  let start = 0;
  let end = points.length;
  if (sides !== 'right') while (start < end && set.has(points[start] ?? '')) start++;
  if (sides !== 'left') while (end > start && set.has(points[end - 1] ?? '')) end--;
  return points.slice(start, end).join('');
}
