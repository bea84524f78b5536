import type { Golden } from '../schemas/types.ts';

/**
 * A golden's canonical form: two blanks of indent, keys as written by the recorder, and every row of ids on one line beside
 * its text, so that a reviewer reads words and a changed word is a small diff.
 */
export function printGolden(golden: Golden): string {
  return `${print(golden, '')}\n`;
}

function print(value: unknown, indent: string): string {
  if (Array.isArray(value)) {
    if (value.length === 0 || isRow(value)) return inline(value);
    const items = value.map((item) => `${indent}  ${print(item, `${indent}  `)}`);
    return `[\n${items.join(',\n')}\n${indent}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([key, item]) => `${indent}  ${JSON.stringify(key)}: ${print(item, `${indent}  `)}`,
    );
    return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent}}`;
  }
  return JSON.stringify(value);
}

const isRow = (value: unknown[]): boolean => Array.isArray(value[0]) && typeof value[1] === 'string';

const inline = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map(inline).join(', ')}]` : JSON.stringify(value);
