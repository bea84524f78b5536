import type { Explained, Message, Sides, Step } from '../case.ts';
import type { CauseName } from '../causes.ts';
import { isStrictJson, jsonDifference, readJson } from '../json-text.ts';
import { schemaVerdicts } from '../schema.ts';
import { shown } from '../text.ts';
import { argumentsExplained } from './arguments.ts';

/** SER: the values are right, their spelling or the fields around them are not. */
export const ser: Step = (found) => {
  const explained = fieldOf(found);
  return explained && { layer: 'SER', ...explained };
};

type Serialized = Omit<Explained, 'layer'>;

function fieldOf(found: Sides): Serialized | undefined {
  const { field, difference } = found;
  switch (field) {
    case 'prompt_token_ids':
    case 'generation_token_ids':
      if (!difference.summary.startsWith('the answer has no list of ids')) return undefined;
      return { cause: 'ids-missing', says: `the answer carries no ${field}`, side: 'lane' };
    case 'reasoning':
    case 'content':
    case 'tool_calls':
      return message(found);
    case 'finish_reason':
      return finish(found);
    case 'usage':
      return usage(found);
    case 'logprobs':
      return logprobs(found);
    default:
      return undefined;
  }
}

function message(found: Sides): Serialized | undefined {
  const { field, difference } = found;
  const { good, bad } = found.said;
  if (difference.summary.startsWith('reasoning came as')) {
    return { cause: 'reasoning-field-name', says: difference.summary, side: 'lane' };
  }
  if (field === 'tool_calls') {
    const noJson = notJson(found);
    if (noJson) return noJson;
  }
  if (!good || !bad) return undefined;
  const spelled = argumentText(found, good, bad);
  if (spelled) return spelled;
  if (field !== 'reasoning' && field !== 'content' && field !== 'tool_calls') return undefined;
  const [left, right] = [nothing(good, field), nothing(bad, field)];
  if (left === undefined || right === undefined || left === right) return undefined;
  return { cause: 'null-empty-absent', says: `${field} is ${right}, where the other side has ${left}` };
}

/** How a field spells that there is nothing; undefined where there is something. */
function nothing(said: Message, field: 'reasoning' | 'content' | 'tool_calls'): string | undefined {
  const value = field === 'tool_calls' ? said.calls : said[field];
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  if (value === '') return '""';
  return value.length === 0 ? '[]' : undefined;
}

/** Python's spelling of JSON's words, outside of text. */
const PYTHON = /"(?:[^"\\]|\\.)*"|\b(True|False|None)\b/g;
const WORDS: Record<string, string> = { True: 'true', False: 'false', None: 'null' };

function notJson(found: Sides): Serialized | undefined {
  const { turn, said } = found;
  for (const [index, { name, arguments: text }] of (turn?.tool_calls ?? []).entries()) {
    if (isStrictJson(text)) continue;
    const mended = text.replace(PYTHON, (all, found: string | undefined) =>
      found ? (WORDS[found] ?? all) : all,
    );
    const word = [...text.matchAll(PYTHON)].find((match) => match[1] !== undefined)?.[1];
    const cased = mended !== text && readJson(mended) !== undefined;
    const other = said.good?.calls?.[index]?.arguments;
    return {
      cause: cased ? 'boolean-casing' : 'arguments-no-json',
      says: cased
        ? `arguments of call ${index + 1} (${name}) spell ${word} as Python does`
        : `arguments of call ${index + 1} (${name}) are no JSON`,
      evidence: [
        `arguments: ${shown(text)}`,
        ...(other !== undefined && other !== text ? [`of the other: ${shown(other)}`] : []),
        schemaVerdicts(found, name, other ?? text, text),
      ],
      side: 'lane',
    };
  }
  return undefined;
}

/** Arguments with equal values and other bytes. */
function argumentText(found: Sides, good: Message, bad: Message): Serialized | undefined {
  const at = (good.calls ?? []).findIndex(
    ({ arguments: text }, index) => text !== bad.calls?.[index]?.arguments,
  );
  const [mine, theirs] = [good.calls?.[at], bad.calls?.[at]];
  if (!mine || !theirs || mine.name !== theirs.name) return undefined;
  const difference = jsonDifference(mine.arguments, theirs.arguments);
  if (!difference?.spelling) return undefined;
  return argumentsExplained(found, at, [mine, theirs], difference);
}

function finish({ turn, difference, core, message: expected }: Sides): Serialized {
  const {
    finish_reason: reason,
    generation_token_ids: ids = [],
    max_tokens: limit,
    tool_calls: calls,
  } = turn ?? { max_tokens: 0 };
  const evidence = [
    `${(calls ?? []).length} calls, ${ids.length} ids, limit ${limit}, last id ${ids.at(-1) ?? 'none'}`,
    ...(expected ? [`expected ${expected.finish_reason}`] : []),
  ];
  const cut = core ? core.stop === null : ids.length >= limit;
  const called = (calls ?? []).length > 0;
  // The same answer says how it ended, so the lane contradicts itself or its golden's tokens.
  const base = { evidence, side: 'lane' as const };
  if (cut && !called && reason === 'stop') {
    return {
      ...base,
      cause: 'length-masked' as CauseName,
      says: 'finish_reason is stop, but the limit cut the reply',
    };
  }
  if (called !== (reason === 'tool_calls')) {
    return {
      ...base,
      cause: 'finish-reason-and-calls',
      says: called
        ? `calls came, but finish_reason is ${reason}`
        : 'finish_reason is tool_calls without a call',
    };
  }
  return { evidence, says: difference.summary };
}

function usage({ difference, turn }: Sides): Serialized {
  return {
    cause: 'usage-miscounted',
    says: difference.summary,
    evidence: [
      `ids of this answer: ${turn?.prompt_token_ids?.length ?? 0} prompt, ${turn?.generation_token_ids?.length ?? 0} generated; usage: ${JSON.stringify(turn?.usage ?? null)}`,
    ],
    side: 'lane',
  };
}

function logprobs({ difference }: Sides): Serialized | undefined {
  const { summary } = difference;
  if (/log-probs for|has no log-probs/.test(summary)) {
    return { cause: 'logprobs-miscounted', says: summary, side: 'lane' };
  }
  if (/finite|above 0/.test(summary)) return { cause: 'logprob-impossible', says: summary, side: 'lane' };
  return undefined;
}
