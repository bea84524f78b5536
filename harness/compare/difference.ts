/** The first place where two values of one field differ. */
export interface FieldDifference {
  /** 0-based, in ids or UTF-16 units; null where the field has no order. */
  index: number | null;
  expected: unknown;
  actual: unknown;
  /** One plain sentence. */
  summary: string;
}

/** Part of a long value around a difference. */
export interface IdWindow {
  length: number;
  from: number;
  ids: number[];
}

export interface TextWindow {
  length: number;
  from: number;
  text: string;
}

const IDS_BEFORE = 6;
const IDS_AFTER = 6;
const TEXT_BEFORE = 40;
const TEXT_AFTER = 80;

/** First differing index of two sequences, or undefined when they are equal. Linear. */
export function firstDifference(a: ArrayLike<unknown>, b: ArrayLike<unknown>): number | undefined {
  const limit = Math.min(a.length, b.length);
  let at = 0;
  while (at < limit && a[at] === b[at]) at++;
  return at === a.length && at === b.length ? undefined : at;
}

/** Compares ids bitwise. */
export function compareIds(
  expected: readonly number[],
  actual: readonly number[],
): FieldDifference | undefined {
  const index = firstDifference(expected, actual);
  if (index === undefined) return undefined;
  const lengths =
    expected.length === actual.length ? '' : `; ${expected.length} ids expected, ${actual.length} came`;
  return {
    index,
    expected: idWindow(expected, index),
    actual: idWindow(actual, index),
    summary: `first different id at index ${index}: ${nameId(expected[index])} expected, ${nameId(actual[index])} came${lengths}`,
  };
}

/** Compares texts bitwise; null, absent and "" are three things. */
export function compareTexts(
  expected: string | null | undefined,
  actual: string | null | undefined,
): FieldDifference | undefined {
  if (expected === actual) return undefined;
  if (typeof expected !== 'string' || typeof actual !== 'string') {
    return {
      index: null,
      expected: window(expected),
      actual: window(actual),
      summary: `${nameText(expected)} expected, ${nameText(actual)} came`,
    };
  }
  const index = firstDifference(expected, actual) ?? 0;
  return {
    index,
    expected: textWindow(expected, index),
    actual: textWindow(actual, index),
    summary: `first difference at character ${index}: ${quote(expected.slice(index, index + 12))} expected, ${quote(actual.slice(index, index + 12))} came`,
  };
}

function window(value: string | null | undefined): unknown {
  return typeof value === 'string' ? textWindow(value, 0) : (value ?? null);
}

const idWindow = (ids: readonly number[], index: number): IdWindow => {
  const from = Math.max(0, index - IDS_BEFORE);
  return { length: ids.length, from, ids: ids.slice(from, index + IDS_AFTER) };
};

const textWindow = (text: string, index: number): TextWindow => {
  const from = Math.max(0, index - TEXT_BEFORE);
  return { length: text.length, from, text: text.slice(from, index + TEXT_AFTER) };
};

const nameId = (id: number | undefined): string => (id === undefined ? 'the end' : String(id));

function nameText(value: string | null | undefined): string {
  if (value === undefined) return 'no such key';
  if (value === null) return 'null';
  return value === '' ? '""' : `text of ${value.length} characters`;
}

/** A short text in quotes with control characters escaped. */
export const quote = (text: string): string => (text === '' ? 'the end' : JSON.stringify(text));
