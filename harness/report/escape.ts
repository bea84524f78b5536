/** Server output made safe for a terminal: control and invisible direction characters are spelled, not sent. */
export function printable(text: string): string {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    escapeChar,
  );
}

const NAMED: Record<string, string> = { '\n': '\\n', '\t': '\\t', '\r': '\\r' };

const escapeChar = (char: string): string =>
  NAMED[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A token's text in single quotes, whitespace visible. */
export const quoteToken = (text: string): string => `'${printable(text)}'`;

/** Cut to a number of characters, with a mark where something is left out. */
export const clip = (text: string, limit: number): string =>
  text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
