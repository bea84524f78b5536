import { diffArrays } from 'diff';
import stringWidth from 'string-width';
import type { IdWindow, TextWindow } from '../compare/difference.ts';
import type { Finding } from '../schemas/types.ts';
import { clip, printable, quoteToken } from './escape.ts';

/** Ids to text, for showing; the report does not judge through it. */
export type Decode = (ids: number[]) => string;

const WIDTH = 100;
const COLUMN = 36;

/** One block per finding: what, where, a window around the first difference, who is right, what to do next. */
export function findingBlock(finding: Finding, decode: Decode, run: string): string[] {
  const { lane, scenario, turn, field, verdict, reference, against = 'golden' } = finding;
  const lines = [
    `FAIL ${scenario}  turn ${turn}  ${field}   ${sides(lane, against)}   ${verdict}`,
    `  ${finding.location ?? ''}`,
    ...indent(printable(finding.summary)),
    ...windowLines(finding, decode),
  ];
  if (reference !== 'unknown') lines.push(`  local oracle agrees with: ${REFERENCE[reference]}`);
  lines.push(
    `  next: ${field === 'differences' ? 'parity check' : `parity show ${scenario}:${turn} --run ${run}`}`,
  );
  return lines.filter((line) => line.trim() !== '');
}

/** Projections are compared with each other under a name that says both. */
const sides = (lane: string, against: string): string =>
  lane.includes(' vs ') ? lane : `${lane} vs ${against}`;

const REFERENCE = { expected: 'the golden', actual: 'the lane', neither: 'neither side' } as const;

function indent(text: string): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > WIDTH - 2) {
    const at = rest.lastIndexOf(' ', WIDTH - 2);
    const end = at > WIDTH / 2 ? at : WIDTH - 2;
    lines.push(`  ${rest.slice(0, end)}`);
    rest = rest.slice(end).trimStart();
  }
  return [...lines, `  ${rest}`];
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
