import { isObject, type Json } from '../json/value.ts';
import type { Block } from './blocks.ts';
import type { CauseName } from './causes.ts';
import { jsonDifference, readJson } from './json-text.ts';
import { shown } from './text.ts';

/** Why the text of one block of a prompt differs. */
export interface BlockCause {
  cause: CauseName;
  says: string;
  evidence?: string[];
}

type Classifier = (block: Block, good: string, bad: string, name: string) => BlockCause | undefined;

/** The named cause of a difference between two texts of a block, if there is one. */
export const blockCause: Classifier = (...given) => {
  for (const classifier of CLASSIFIERS) {
    const cause = classifier(...given);
    if (cause) return cause;
  }
  return undefined;
};

const THINK = /<think>\n(?:.|\n)*?\n?<\/think>\n*/;
const EMPTY = /<think>\s*<\/think>\s*/g;
const TURN_END = '<|im_end|>\n';

const separator: Classifier = (_block, good, bad, name) =>
  good === `${bad}\n` && good.endsWith(TURN_END)
    ? { cause: 'separator-lost', says: `the newline behind ${name} is missing` }
    : undefined;

const emptyThink: Classifier = ({ open }, good, bad) => {
  if (!open || good.replace(EMPTY, '') !== bad.replace(EMPTY, '')) return undefined;
  const [left, right] = [good, bad].map((text) => (text.match(EMPTY) ?? []).length);
  if (left === undefined || right === undefined || left === right) return undefined;
  const has = right > left;
  return {
    cause: 'empty-think-block',
    says: `the generation prompt ${has ? 'has an empty think block too many' : 'lacks the empty think block'}`,
  };
};

const think: Classifier = ({ role, turn, open }, good, bad) => {
  if (role !== 'assistant' || open) return undefined;
  const [left, right] = [THINK.exec(good)?.[0], THINK.exec(bad)?.[0]];
  if (left && !right && sameButBlanks(good.replace(THINK, ''), bad)) {
    return {
      cause: 'think-stripped',
      says: `the think block of turn ${turn} is stripped from history`,
      evidence: [`missing: ${shown(left)}`],
    };
  }
  if (!left && right && sameButBlanks(good, bad.replace(THINK, ''))) {
    return {
      cause: 'think-added',
      says: `a think block is written into the answer of turn ${turn}`,
      evidence: [`added: ${shown(right)}`],
    };
  }
  if (bad.replace('<think>\n<think>\n', '<think>\n') === good) {
    return { cause: 'think-added', says: `the opening think tag of turn ${turn} is written twice` };
  }
  return undefined;
};

const sameButBlanks = (a: string, b: string): boolean => a.replace(/\s+/g, '') === b.replace(/\s+/g, '');

const blankLines: Classifier = ({ role, turn, open }, good, bad) => {
  if (role !== 'assistant' || open) return undefined;
  const fused = /^(<\|im_start\|>assistant\n)\n+/;
  if (good.replace(fused, '$1') !== bad.replace(fused, '$1')) return undefined;
  const more = bad.length > good.length;
  return {
    cause: 'blank-lines-fused',
    says: more
      ? `blank lines before the answer of turn ${turn} fuse with the newline of its header`
      : `blank lines before the answer of turn ${turn} are stripped`,
  };
};

const spelledNothing: Classifier = (_block, good, bad, name) => {
  const word = ['None', 'null', '[]'].find(
    (candidate) => bad.includes(candidate) && bad.replace(candidate, '') === good,
  );
  return word === undefined
    ? undefined
    : { cause: 'null-spelled', says: `a missing content is printed as ${word} in ${name}` };
};

const spelledList: Classifier = (_block, good, bad, name) => {
  const list = /\[\{['"]type['"]: ?['"]text['"]/.exec(bad);
  if (!list || good.includes(list[0])) return undefined;
  return {
    cause: 'list-spelled',
    says: `the content of ${name} is printed as a list of parts`,
    evidence: [`from: ${shown(bad.slice(list.index))}`],
  };
};

const dates: Classifier = (_block, good, bad, name) => {
  const date =
    /\b(\d{4}-\d{2}-\d{2}|\d{1,2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{4})\b/g;
  const [left, right] = [good.match(date), bad.match(date)];
  if (!left || !right || good.replace(date, '') !== bad.replace(date, '')) return undefined;
  return { cause: 'date-line', says: `${name} has the date ${right[0]} where the other has ${left[0]}` };
};

const CALL = /<tool_call>\n?(.*?)\n?<\/tool_call>/gs;
const blocksIn = (text: string): string[] => [...text.matchAll(CALL)].map((match) => match[1] ?? '');

const callsInHistory: Classifier = ({ role, turn }, good, bad) => {
  if (role !== 'assistant') return undefined;
  const [left, right] = [blocksIn(good), blocksIn(bad)];
  if (left.length > right.length) {
    return {
      cause: 'call-lost-from-history',
      says: `${left.length - right.length} of ${left.length} calls of turn ${turn} are not in the prompt`,
    };
  }
  const at = left.findIndex((text, index) => text !== right[index]);
  if (at === -1) return undefined;
  const [mine, theirs] = [left[at] ?? '', right[at] ?? ''];
  const encoded = /"arguments": ?"\{\\"/;
  if (encoded.test(theirs) && !encoded.test(mine)) {
    return {
      cause: 'arguments-double-encoded',
      says: `the arguments of call ${at + 1} of turn ${turn} are encoded twice`,
    };
  }
  return printed(mine, theirs, `call ${at + 1} of turn ${turn}`);
};

const LINE = /^\{"type".*$|^\{".*"function".*$/gm;

const schemas: Classifier = ({ role }, good, bad, name) => {
  if (role !== 'system' || name !== 'the tools') return undefined;
  const [left, right] = [good.match(LINE) ?? [], bad.match(LINE) ?? []];
  const at = left.findIndex((text, index) => text !== right[index]);
  const [mine, theirs] = [left[at], right[at]];
  if (mine === undefined || theirs === undefined) return undefined;
  const added = addedKeys(readJson(mine), readJson(theirs));
  if (added.length > 0) {
    return {
      cause: 'schema-redumped',
      says: `the schema of tool ${at + 1} is printed anew with ${added.join(', ')}, which nobody sent`,
    };
  }
  return printed(mine, theirs, `the schema of tool ${at + 1}`);
};

/** A JSON text printed otherwise, its value the same. */
function printed(good: string, bad: string, what: string): BlockCause | undefined {
  const difference = jsonDifference(good, bad);
  if (!difference?.cause) return undefined;
  const cause =
    difference.cause === 'key-order' && what.startsWith('the schema') ? 'schema-key-order' : difference.cause;
  return { cause, says: `${what}: ${difference.says}` };
}

/** Paths of keys that one value has and the other does not. */
function addedKeys(good: Json | undefined, bad: Json | undefined, path = ''): string[] {
  if (Array.isArray(good) && Array.isArray(bad)) {
    return bad.flatMap((item, index) => addedKeys(good[index], item, `${path}[${index}]`));
  }
  if (!isObject(good) || !isObject(bad)) return [];
  return [...bad].flatMap(([key, value]) => {
    const at = path === '' ? key : `${path}.${key}`;
    return good.has(key) ? addedKeys(good.get(key), value, at) : [at];
  });
}

const RESULT = /<tool_response>(.*?)<\/tool_response>/gs;
const resultsIn = (text: string): string[] =>
  [...text.matchAll(RESULT)].map((match) => match[1]?.trim() ?? '');

/** Lost is what leaves no result or an empty one: a result that is there, only spelled otherwise, is not. */
const toolResults: Classifier = ({ turn }, good, bad) => {
  const [left, right] = [resultsIn(good), resultsIn(bad)];
  const empty = (texts: string[]): number => texts.filter((text) => text === '').length;
  if (right.length >= left.length && empty(right) <= empty(left)) return undefined;
  const lost = left.find((text) => text !== '' && !right.includes(text));
  if (lost === undefined) return undefined;
  return {
    cause: 'tool-result-lost',
    says: `a tool result of turn ${turn} is not in the prompt`,
    evidence: [`missing: ${shown(lost)}`],
  };
};

/** The first that explains wins: exact shapes before looser ones. */
const CLASSIFIERS: readonly Classifier[] = [
  separator,
  emptyThink,
  think,
  blankLines,
  schemas,
  callsInHistory,
  spelledNothing,
  spelledList,
  dates,
  toolResults,
];
