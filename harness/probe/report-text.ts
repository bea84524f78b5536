import { clip, printable } from '../report/escape.ts';
import { brokenLines } from '../report/wrap.ts';
import type { Basis, Fact } from './fact.ts';

/** Characters of one line that are shown; a server can call itself anything. */
const MAX_LINE = 600;

const TITLES: readonly (readonly [Basis, string])[] = [
  ['measured', 'measured, by what the server answered'],
  ['told', 'told by the server, not checked'],
  ['assumed', 'taken for granted: check before you trust the lane'],
  ['unknown', 'not known'],
];

/** Facts under how they are known; server output in them is spelled, not sent. */
export function contactText(facts: readonly Fact[]): string {
  const blocks = TITLES.map(([basis, title]) => {
    const own = facts.filter((fact) => fact.basis === basis);
    return own.length > 0 ? [title, ...own.flatMap(factLines)].join('\n') : '';
  });
  return blocks.filter((block) => block !== '').join('\n\n');
}

function factLines({ what, lines }: Fact): string[] {
  const shown = lines.flatMap((line) =>
    indentedAfterFirst(brokenLines(clip(printable(line), MAX_LINE), WIDTH)),
  );
  return shown.map((line, index) => `  ${(index === 0 ? what : '').padEnd(17)} ${line}`);
}

/** Columns of a fact's text. */
const WIDTH = 90;

const indentedAfterFirst = (lines: readonly string[]): string[] =>
  lines.map((line, index) => (index === 0 ? line : `  ${line}`));
