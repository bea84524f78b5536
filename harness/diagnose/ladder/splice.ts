import { sameIds } from '../../oracle/same-ids.ts';
import { EOS } from '../../oracle/tokenizer.ts';
import { blocksOf, nameBlock } from '../blocks.ts';
import type { Explained, Sides, Step } from '../case.ts';
import {
  carriedIds,
  isAsIf,
  type PromptPair,
  promptPair,
  regionOf,
  renderedIf,
  upToLastAnswer,
  withoutIds,
} from '../prompt.ts';
import { beginsWith, divergence, idsAt, named, ordinal } from '../text.ts';

const NEWLINE = 198;

/** SPLICE: how earlier ids and the template's continuation were put together. */
export const splice: Step = (found) => {
  const pair = promptPair(found);
  if (!pair) return lostMessage(found);
  if (pair.carried === 0) return prefixWins(found, pair);
  if (regionOf(pair) === 'carried') return carriedChanged(found, pair);
  return seam(found, pair);
};

/** A sound-looking prompt lacks a message: the oracle, which splices alike, may lose it as well. */
function lostMessage(found: Sides): Explained | undefined {
  const { field, difference, reference } = found;
  if (field !== 'messages') return undefined;
  const carried = carriedIds(found).length;
  return {
    layer: carried > 0 ? 'SPLICE' : 'TMPL',
    cause: 'message-vanished',
    says: `the ${/^the (\w+) message/.exec(difference.summary)?.[1] ?? 'new'} message of this turn vanished from the prompt`,
    evidence: [
      ...(carried > 0 ? [`carried are ${carried} ids`] : []),
      ...(reference === 'actual'
        ? ['the rule itself loses it: the oracle makes the same prompt of this request']
        : []),
    ],
    side: 'lane',
  };
}

/** Nothing was carried, yet the prompt begins with what the lane itself said before, which a rendering would not. */
export function prefixWins(found: Sides, { bad, at }: PromptPair): Explained | undefined {
  const { earlier, oracle, asked } = found;
  if (!asked || sameIds(asked, bad)) return undefined;
  const last = earlier.at(-1);
  const seen = [...(last?.prompt_token_ids ?? []), ...(last?.generation_token_ids ?? [])];
  const kept = seen.at(-1) === EOS ? seen.slice(0, -1) : seen;
  if (kept.length <= at || !beginsWith(bad, kept)) return undefined;
  return {
    layer: 'SPLICE',
    cause: 'prefix-wins',
    says: `the ids of turn ${last?.turn} are used although the history is to be rendered again`,
    evidence: [
      `the prompt begins with the ${kept.length} ids seen before`,
      `index ${at}: ${idsAt(oracle.tokenizer, bad, at)}`,
    ],
  };
}

function carriedChanged(found: Sides, pair: PromptPair): Explained {
  const { good, bad, at, carried } = pair;
  const {
    names,
    oracle: { tokenizer },
  } = found;
  const where = `carried are ${carried} ids; the prompt leaves them at index ${at}: ${named(tokenizer, good[at])} was carried, ${named(tokenizer, bad[at])} came`;
  if (tokenizer.decode(good) === tokenizer.decode(bad)) {
    return {
      layer: 'SPLICE',
      cause: 'history-retokenized',
      says: 'the carried ids are decoded and encoded again: same text, other ids',
      evidence: [
        where,
        `${good.length} ids and ${bad.length} ids spell the same text`,
        `${names.good}: ${idsAt(tokenizer, good, at)}`,
        `${names.bad}: ${idsAt(tokenizer, bad, at)}`,
      ],
    };
  }
  if (isAsIf(found, pair, withoutIds)) {
    return {
      layer: 'SPLICE',
      cause: 'prefix-ignored',
      says: 'the carried ids are ignored and the conversation is rendered again',
      evidence: [where, `the ${bad.length} ids are those of the template over the messages alone`],
    };
  }
  const other = idsOfAnotherTurn(found, pair);
  if (other) return { ...other, evidence: [where, ...(other.evidence ?? [])] };
  const vanished = vanishedBlocks(found, pair);
  if (vanished) {
    const { cause, says, evidence } = vanished;
    return { layer: 'SPLICE', cause, says, evidence: [where, ...evidence] };
  }
  if (at === bad.length) {
    return {
      layer: 'SPLICE',
      says: `the prompt ends after ${bad.length} ids, within the ${carried} carried ones`,
      evidence: [where],
    };
  }
  return { layer: 'SPLICE', says: 'the carried ids are not kept', evidence: [where] };
}

/** An earlier turn's ids stand where the newest answer's should: what lies between is lost. */
function idsOfAnotherTurn({ earlier }: Sides, { bad }: PromptPair): Explained | undefined {
  for (const turn of earlier.slice(0, -1).toReversed()) {
    const seen = [...(turn.prompt_token_ids ?? []), ...(turn.generation_token_ids ?? [])];
    const kept = seen.at(-1) === EOS ? seen.slice(0, -1) : seen;
    // Every prompt begins with the first turns; it is theirs only if the template takes over right behind them.
    if (kept.length === 0 || !beginsWith(bad, kept) || bad[kept.length] !== EOS) continue;
    const next = earlier.find((later) => later.turn === turn.turn + 1)?.prompt_token_ids ?? [];
    // Such a prompt, or a part of it, is merely short.
    if (divergence(bad, next) >= Math.min(bad.length, next.length)) continue;
    return {
      layer: 'SPLICE',
      cause: 'ids-of-another-turn',
      says: `the ids of turn ${turn.turn} are carried instead of those of turn ${earlier.at(-1)?.turn}`,
      evidence: [`the prompt keeps the ${kept.length} ids of turn ${turn.turn} and resumes there`],
    };
  }
  return undefined;
}

/** Whole messages that one prompt lacks. */
interface Vanished {
  cause: 'message-vanished';
  says: string;
  evidence: string[];
  /** Their names. */
  gone: string;
}

/** One prompt is the other without some whole messages. An opened turn is no message. */
export function vanishedBlocks(
  { oracle: { tokenizer } }: Sides,
  { good, bad }: Pick<PromptPair, 'good' | 'bad'>,
): Vanished | undefined {
  const gone: string[] = [];
  let kept = 0;
  const blocks = blocksOf(good, tokenizer);
  let next = blocks[0]?.from ?? 0;
  if (!beginsWith(bad, good.slice(0, next))) return undefined;
  const evidence: string[] = [];
  for (const block of blocks) {
    const ids = good.slice(block.from, block.to);
    if (beginsWith(bad, ids, next)) {
      kept++;
      next += ids.length;
    } else if (!block.open) {
      gone.push(nameBlock(block));
      evidence.push(`not in the prompt: ids ${block.from} to ${block.to - 1}, ${nameBlock(block)}`);
    }
  }
  if (gone.length === 0 || kept === 0 || next !== bad.length) return undefined;
  const names = gone.join(' and ');
  return { cause: 'message-vanished', says: `${names} vanished from the prompt`, evidence, gone: names };
}

/** The carried ids are whole; what follows them is the template from another place on, or no end of turn. */
export function seam(found: Sides, pair: PromptPair): Explained | undefined {
  const explained = meeting(found, pair);
  const { good, bad, carried } = pair;
  if (explained || good[carried] !== EOS || bad[carried] === EOS) return explained;
  const { tokenizer } = found.oracle;
  return {
    layer: 'SPLICE',
    says: 'the carried answer is not followed by its end-of-turn id',
    evidence: [`${carried} carried ids are kept; index ${carried}: ${idsAt(tokenizer, bad, carried)}`],
  };
}

function meeting(found: Sides, pair: PromptPair): Explained | undefined {
  const { bad, carried, at } = pair;
  const { tokenizer } = found.oracle;
  const template = renderedIf(found, withoutIds);
  const upTo = renderedIf(found, upToLastAnswer);
  const tail = bad.slice(carried);
  const good = pair.good.slice(carried);
  const says = (cause: NonNullable<Explained['cause']>, text: string, ...evidence: string[]): Explained => ({
    layer: 'SPLICE',
    cause,
    says: text,
    evidence: [`${carried} carried ids are kept; index ${at}: ${idsAt(tokenizer, bad, at)}`, ...evidence],
  });
  if (good[0] === EOS && sameIds(tail, good.slice(1))) {
    return says('end-of-turn-lost', 'the end-of-turn id behind the carried answer is missing');
  }
  if (good[0] === EOS && tail[0] === EOS && sameIds(tail.slice(1), good)) {
    return says('end-of-turn-doubled', 'the end-of-turn id behind the carried answer stands twice');
  }
  if (good[0] === EOS && good[1] === NEWLINE && tail[0] === EOS && sameIds(tail.slice(1), good.slice(2))) {
    return says(
      'separator-lost',
      'the newline behind the carried answer is missing',
      `without ${named(tokenizer, good[1])} behind the end-of-turn id`,
    );
  }
  const vanished = vanishedBlocks(found, pair) ?? skipped(found, pair);
  if (vanished) return says(vanished.cause, vanished.says, ...vanished.evidence);
  if (!template || !upTo) return undefined;
  const cut = template.length - tail.length;
  if (cut < 0 || !sameIds(template.slice(cut), tail)) return undefined;
  const n = upTo.filter((id) => id === EOS).length;
  if (template[cut] === EOS) {
    const m = template.slice(0, cut + 1).filter((id) => id === EOS).length;
    // The right one, though at another index: the template renders earlier answers otherwise once a message follows them.
    if (m === n) return undefined;
    return says(
      'wrong-end-of-turn',
      `the template takes over at its ${ordinal(m)} end-of-turn id instead of its ${ordinal(n)}`,
    );
  }
  return says(
    'positional-splice',
    `the template is cut at index ${cut}, where the rendered prefix ends, not at its ${ordinal(n)} end-of-turn id`,
    `there the template reads: ${idsAt(tokenizer, template, cut)}`,
  );
}

/** The template resumed at a later end of turn: the messages between are lost. */
function skipped(found: Sides, { good, bad, carried }: PromptPair): Omit<Vanished, 'gone'> | undefined {
  const tail = bad.slice(carried);
  const from = good.length - tail.length;
  if (from <= carried || good[from] !== EOS || !sameIds(good.slice(from), tail)) return undefined;
  const gone = blocksOf(good, found.oracle.tokenizer).filter(
    (block) => block.from > carried && block.from < from,
  );
  if (gone.length === 0) return undefined;
  return {
    cause: 'message-vanished',
    says: `${gone.map((block) => nameBlock(block)).join(' and ')} vanished from the prompt`,
    evidence: [
      `the template resumes at index ${from} of the other prompt, ${ordinal(good.slice(carried, from + 1).filter((id) => id === EOS).length)} end-of-turn id behind the carried ids`,
    ],
  };
}
