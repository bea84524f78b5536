import { diffArrays } from 'diff';
import stringWidth from 'string-width';
import type { IdWindow, TextWindow } from '../compare/difference.ts';
import type { Finding } from '../schemas/types.ts';
import { command } from './command.ts';
import { clip, printable, quoteToken } from './escape.ts';

/** Ids to text, for showing; the report does not judge through it. */
export type Decode = (ids: number[]) => string;

const WIDTH = 100;
const COLUMN = 36;

/** One block per finding: what and where, what is wrong on which side, the evidence, a window around the first difference, what next. */
export function findingBlock(finding: Finding, decode: Decode, run: string): string[] {
  const { lane, scenario, turn, field, reference, against = 'golden', evidence = [] } = finding;
  const lines = [
    `FAIL ${scenario}  turn ${turn}  ${field}   ${sides(lane, against)}`,
    ...hang(verdictLine(finding)),
    `  ${finding.location ?? ''}`,
    ...((finding.says ?? finding.summary) === finding.summary ? [] : indent(printable(finding.summary))),
    ...windowLines(finding, decode),
    ...evidence.flatMap((line) => bullet(printable(line))),
  ];
  if (reference !== 'unknown')
    lines.push(`  ${oracleName(finding)} agrees with: ${agrees(reference, against)}`);
  lines.push(`  next: ${nextCommand(finding, run)}`);
  return lines.filter((line) => line.trim() !== '');
}

/** Layer, side, reason and the cause's name in one line. */
export function verdictLine({ verdict, cause, says, summary, ...finding }: Finding): string {
  const side = verdict === 'ENV' && finding.deviates === 'unknown' ? 'the set-ups differ' : who(finding);
  return `${verdict}  ${side}: ${printable(says ?? summary)}${cause ? ` (${cause})` : ''}`;
}

function who({
  lane,
  against = 'golden',
  deviates = 'unknown',
}: Pick<Finding, 'lane' | 'against' | 'deviates'>): string {
  switch (deviates) {
    case 'lane':
      return `${lane} deviates`;
    case 'other':
      return `${other(against)} deviates`;
    case 'both':
      return `${lane} and ${other(against)} both deviate`;
    case 'neither':
      return 'each does what its server kind does';
    case 'unknown':
      return 'not verified which side deviates';
  }
}

const other = (against: string): string => (against === 'golden' ? 'the golden' : against);

function oracleName({ oracle, field }: Finding): string {
  if (field === 'generation_token_ids') return 'scripted reply';
  return oracle === 'shares_code' ? 'local oracle (shares code with the emulation)' : 'local oracle';
}

function agrees(reference: Exclude<Finding['reference'], 'unknown'>, against: string): string {
  if (reference === 'neither') return 'neither side';
  return reference === 'actual' ? 'the lane' : other(against);
}

const nextCommand = ({ scenario, turn, field }: Finding, run: string): string =>
  field === 'differences' || field === 'waivers'
    ? command('check')
    : field === 'environment'
      ? command(`show ${scenario}:${turn} --run ${run}`)
      : command(`explain ${run} ${scenario}:${turn} --field ${field}`);

/** Projections are compared with each other under a name that says both. */
const sides = (lane: string, against: string): string =>
  lane.includes(' vs ') ? lane : `${lane} vs ${against}`;

const hang = (text: string): string[] =>
  wrapped(text, WIDTH - 2).map((line, at) => `${at === 0 ? '  ' : '        '}${line}`);

const bullet = (text: string): string[] =>
  wrapped(text, WIDTH - 4).map((line, at) => `${at === 0 ? '  - ' : '    '}${line}`);

const indent = (text: string): string[] => wrapped(text, WIDTH - 2).map((line) => `  ${line}`);

/** A text in lines, broken at blanks where there are any. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const at = rest.lastIndexOf(' ', width);
    const end = at > WIDTH / 2 ? at : width;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

function windowLines({ expected, actual, index }: Finding, decode: Decode): string[] {
  if (index !== null && isIdWindow(expected) && isIdWindow(actual))
    return idLines(expected, actual, index, decode);
  if (isTextWindow(expected) || isTextWindow(actual)) {
    return [`  expected  ${showText(expected)}`, `  actual    ${showText(actual)}`];
  }
  return [`  expected  ${showValue(expected)}`, `  actual    ${showValue(actual)}`];
}

/**
 * Two columns of ids with their text: `=` equal, `>` the first difference, `~` another one after it. Behind the difference
 * the columns are aligned again, so that an id too many does not make the rest look different.
 */
function idLines(expected: IdWindow, actual: IdWindow, index: number, decode: Decode): string[] {
  const cut = index - expected.from;
  const equal = expected.ids.slice(0, cut).map((id): [number, number] => [id, id]);
  const rows = [...equal, ...align(expected.ids.slice(cut), actual.ids.slice(cut))];
  let at = expected.from;
  const lines = rows.map(([left, right], row) => {
    const mark = row === cut ? '>' : left === right ? '=' : '~';
    const place = left === undefined ? '' : String(at++);
    return `  ${mark} ${place.padStart(6)}  ${cell(left, decode)}${cell(right, decode)}`.trimEnd();
  });
  return [`    ${'index'.padStart(6)}  ${'expected'.padEnd(COLUMN)}actual`, ...lines];
}

type Row = [left: number | undefined, right: number | undefined];

function align(expected: number[], actual: number[]): Row[] {
  const rows: Row[] = [];
  let removed: number[] = [];
  const flush = (added: number[]): void => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++) rows.push([removed[at], added[at]]);
    removed = [];
  };
  for (const part of diffArrays(expected, actual)) {
    if (part.removed) removed = part.value;
    else if (part.added) flush(part.value);
    else {
      flush([]);
      rows.push(...part.value.map((id): Row => [id, id]));
    }
  }
  flush([]);
  return rows;
}

function cell(id: number | undefined, decode: Decode): string {
  const text =
    id === undefined ? '' : clip(`${String(id).padStart(6)} ${quoteToken(decode([id]))}`, COLUMN - 2);
  return text + ' '.repeat(Math.max(0, COLUMN - stringWidth(text)));
}

const showText = (value: unknown): string => {
  if (!isTextWindow(value)) return showValue(value);
  const before = value.from > 0 ? '…' : '';
  const after = value.from + value.text.length < value.length ? '…' : '';
  return clip(`${before}"${printable(value.text)}"${after}`, WIDTH + 30);
};

const showValue = (value: unknown): string => clip(printable(JSON.stringify(value) ?? 'absent'), WIDTH + 30);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const isIdWindow = (value: unknown): value is IdWindow & Record<string, unknown> =>
  isRecord(value) && Array.isArray(value.ids) && typeof value.from === 'number';

const isTextWindow = (value: unknown): value is TextWindow & Record<string, unknown> =>
  isRecord(value) && typeof value.text === 'string' && typeof value.from === 'number';
