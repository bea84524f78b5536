import { printableLine } from './escape.ts';

/**
 * Prints lines for people: the only way by which text of servers, goldens and run folders reaches a terminal or a CI log. Each
 * entry is one line, whatever it holds.
 */
function writeLines(stream: NodeJS.WritableStream, lines: readonly string[]): void {
  stream.write(lines.map((line) => `${printableLine(line)}\n`).join(''));
}

export const writeOut = (...lines: readonly string[]): void => writeLines(process.stdout, lines);
export const writeError = (...lines: readonly string[]): void => writeLines(process.stderr, lines);
