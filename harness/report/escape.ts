/**
 * Server output made safe for a terminal: what moves a cursor or a reading direction, and what is not seen at all (soft hyphens,
 * joiners, variation selectors, tags, halves of a surrogate pair), is spelled, not sent.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, spellChar);
}

const NAMED: Record<string, string> = { '\n': '\\n', '\t': '\\t', '\r': '\\r' };

function spellChar(char: string): string {
  const hex = (char.codePointAt(0) ?? 0).toString(16);
  return NAMED[char] ?? (hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`);
}

/**
 * One line as it may be printed, whatever a server or a golden put into it: a CI runner takes a line that begins with `::`
 * (GitHub), or has `##[`, `##vso[` or the like in it (GitHub, Azure Pipelines, TeamCity), for a command.
 */
export function printableLine(line: string): string {
  return printable(line)
    .replace(/^(\s*:):/, '$1\\u003a')
    .replace(/##(?=\w*\[)/g, '#\\u0023');
}

/** A token's text in single quotes, whitespace visible. */
export const quoteToken = (text: string): string => `'${printable(text)}'`;

/** Cut to a number of characters, with a mark where something is left out. */
export const clip = (text: string, limit: number): string =>
  text.length > limit ? `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;
