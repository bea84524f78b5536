import stringWidth from 'string-width';
import { printable } from './escape.ts';

const WIDTH = 100;

/** Behind the name of an engine whose opinion is no independent word about the embedded servers. */
export const SHARED = '*';

/** One row of a token table; a side that has no token there is undefined. */
export interface TokenRow {
  /** `=` equal on both sides, `>` the first difference or the place in question, `~` another difference, `@` asked for. */
  mark: '=' | '>' | '~' | '@' | ' ';
  left: Token | undefined;
  right: Token | undefined;
  /** Where it comes from, in words. */
  origin: string;
}

export interface Token {
  index: number;
  id: number;
  /** Undefined for bytes that are no whole character. */
  text: string | undefined;
  bytes: Uint8Array;
}

/** A run of ids with the same origin. */
export interface Part {
  from: number;
  count: number;
  origin: string;
  /** Whether the first difference lies in it. */
  hit: boolean;
}

/** A text on both sides, cut to a window; null and absent are values of their own. */
export interface TextPair {
  /** What is compared, such as `content` or `call 2 arguments`. */
  what: string;
  left: string | null | undefined;
  right: string | null | undefined;
  /** In UTF-16 units; undefined where the texts are equal or one of them is none. */
  index: number | undefined;
}

/** Everything that is shown of one field of one turn. */
export interface Explanation {
  scenario: string;
  turn: number;
  field: string;
  lane: string;
  emulated: boolean;
  against: string;
  location: string | undefined;
  verdict: string | undefined;
  /** Plain sentences: summary, cause, evidence, whom the oracle agrees with. */
  facts: { label: string; text: string }[];
  texts: TextPair[];
  parts: { title: string; parts: Part[] } | undefined;
  tokens: { title: string; rows: TokenRow[]; two: boolean } | undefined;
  opinions: { who: string; text: string }[];
  next: string[];
}

/** What `parity explain` prints: at most 100 columns, marks that need no colour, everything from a server escaped. */
export function explainText(explanation: Explanation): string {
  const { scenario, turn, field, lane, emulated, against, verdict, location } = explanation;
  const title = `${scenario}:${turn}  ${field}   ${lane}${emulated ? ' (emulated)' : ''} against ${against}`;
  return [
    cut(printable(verdict === undefined ? title : `${title}   ${verdict}`), WIDTH),
    ...(location === undefined ? [] : [`  ${cut(printable(location), WIDTH - 2)}`]),
    ...explanation.facts.flatMap(({ label, text }) => labelled(label, text)),
    ...explanation.texts.flatMap((pair) => textLines(pair, lane, against)),
    ...partLines(explanation.parts),
    ...tokenLines(explanation.tokens, lane, against),
    ...opinionLines(explanation.opinions),
    ...explanation.next.flatMap((command) => labelled('next', command)),
  ].join('\n');
}

const LABEL = 10;

function labelled(label: string, text: string): string[] {
  return wrap(visible(text), WIDTH - 3 - LABEL).map(
    (line, index) => `  ${padded(index === 0 ? label : '', LABEL)} ${line}`,
  );
}

const NAME = 22;
const BEFORE = 34;

/** The two texts one over the other, the first difference under a caret. */
function textLines({ what, left, right, index }: TextPair, lane: string, against: string): string[] {
  const from = index === undefined ? 0 : startBefore(left ?? right ?? '', index, BEFORE);
  const row = (name: string, text: string | null | undefined): string =>
    `  ${padded(cut(printable(name), NAME), NAME)} ${textWindow(text, from)}`;
  const lines = ['', `  ${what}`, row(against, left), row(lane, right)];
  if (index === undefined || typeof left !== 'string' || typeof right !== 'string') return lines;
  const column = (from > 0 ? 1 : 0) + 1 + stringWidth(visible(left.slice(from, index)));
  return [...lines, `  ${' '.repeat(NAME + 1 + column)}^ character ${index}`];
}

function textWindow(text: string | null | undefined, from: number): string {
  if (text === undefined) return '(absent)';
  if (text === null) return 'null';
  const room = WIDTH - 3 - NAME - 3;
  const shown = visible(text.slice(from));
  const fits = stringWidth(shown) <= room;
  return `${from > 0 ? '…' : ''}"${fits ? shown : cut(shown, room)}"`;
}

/** Index from which about `columns` columns lead up to `index`. */
function startBefore(text: string, index: number, columns: number): number {
  let at = index;
  let width = 0;
  for (const char of [...text.slice(0, index)].reverse()) {
    width += stringWidth(visible(char));
    if (width > columns) break;
    at -= char.length;
  }
  return at;
}

const MOST_PARTS = 14;

function partLines(given: Explanation['parts']): string[] {
  if (!given || given.parts.length === 0) return [];
  const { title, parts } = given;
  const hit = parts.findIndex((part) => part.hit);
  const from = Math.max(0, Math.min(hit - MOST_PARTS / 2, parts.length - MOST_PARTS));
  const shown = parts.slice(from, from + MOST_PARTS);
  const hidden = parts.length - shown.length;
  return [
    '',
    `  ${title}`,
    ...shown.map(
      (part) =>
        `  ${part.hit ? '>' : ' '} ${String(part.from).padStart(6)}  ${String(part.count).padStart(6)} ids  ${cut(printable(part.origin), 60)}`,
    ),
    ...(hidden > 0 ? [`    ${hidden} more parts`] : []),
  ];
}

const CELL = 31;
const ORIGIN = WIDTH - 2 * CELL - 7;

function tokenLines(given: Explanation['tokens'], lane: string, against: string): string[] {
  if (!given || given.rows.length === 0) return [];
  const { title, rows, two } = given;
  const width = two ? CELL : 2 * CELL + 1;
  const name = (text: string): string => padded(`${' '.repeat(6)}${cut(printable(text), width - 6)}`, width);
  const head = two ? `${name(against)} ${name(lane)}` : name(lane);
  return [
    '',
    `  ${title}`,
    `     ${head} from`,
    ...rows.map(({ mark, left, right, origin }) => {
      const cells = two ? `${cell(left, width)} ${cell(right, width)}` : cell(right, width);
      return `  ${mark}  ${cells} ${cut(printable(origin), ORIGIN)}`.trimEnd();
    }),
  ];
}

/** Index, id and text of a token. */
function cell(token: Token | undefined, width: number): string {
  if (!token) return ' '.repeat(width);
  const text = token.text === undefined ? bytesText(token.bytes) : `'${visible(token.text)}'`;
  return padded(
    cut(`${String(token.index).padStart(5)} ${String(token.id).padStart(6)} ${text}`, width),
    width,
  );
}

const bytesText = (bytes: Uint8Array): string =>
  `bytes ${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(' ')}`;

function opinionLines(opinions: Explanation['opinions']): string[] {
  if (opinions.length === 0) return [];
  return [
    '',
    '  the oracle on this reply',
    ...opinions.flatMap(({ who, text }) => {
      const lines = wrap(visible(text), WIDTH - 3 - NAME);
      return lines.map((line, index) => `  ${padded(index === 0 ? who : '', NAME)} ${line}`);
    }),
    ...(opinions.some(({ who }) => who.endsWith(SHARED))
      ? [`  ${SHARED} the embedded server runs the same code for this`]
      : []),
  ];
}

/** Blanks other than the plain one, which the eye cannot tell from it. */
const BLANKS = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;

/** Hostile text made safe, with every blank but the plain one spelled. */
const visible = (text: string): string =>
  printable(text).replace(BLANKS, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Text in exactly `width` columns; wide characters count two. */
const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - stringWidth(text)));

/** Text in at most `width` columns, with a mark where something is left out. */
function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let out = '';
  let used = 0;
  for (const char of text) {
    const columns = stringWidth(char);
    if (used + columns > width - 1) break;
    out += char;
    used += columns;
  }
  return `${out}…`;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (stringWidth(rest) > width) {
    let end = startsFitting(rest, width);
    const blank = rest.lastIndexOf(' ', end);
    if (blank > end / 2) end = blank;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

/** How many UTF-16 units of a text fit in a width; at least one character. */
function startsFitting(text: string, width: number): number {
  let used = 0;
  let at = 0;
  for (const char of text) {
    used += stringWidth(char);
    if (used > width && at > 0) break;
    at += char.length;
  }
  return at;
}
