import { sameIds } from '../../oracle/same-ids.ts';
import { END_OF_TEXT, STOP_IDS } from '../../oracle/tokenizer.ts';
import type { Explained, Step } from '../case.ts';
import { beginsWith, idsAt, named } from '../text.ts';

/** STOP: the replies differ only in where and on what they end. */
export const stop: Step = (found) => {
  const { good, bad } = found.generation;
  if (found.field !== 'generation_token_ids' || !good || !bad) return undefined;
  const { tokenizer } = found.oracle;
  const says = (cause: NonNullable<Explained['cause']>, text: string, ...evidence: string[]): Explained => ({
    layer: 'STOP',
    cause,
    says: text,
    evidence: [`${good.length} ids and ${bad.length} ids`, ...evidence],
  });
  const [left, right] = [stopOf(good), stopOf(bad)];
  if (sameIds(left.body, right.body)) {
    // The lane promises one of the two forms, so whatever the other side is, this is the lane's.
    const promise = { side: 'lane' as const };
    const lane = stopOf(found.turn?.generation_token_ids ?? []);
    if (left.stop !== undefined && right.stop !== undefined) {
      return says(
        'other-stop-id',
        `the reply ends on ${named(tokenizer, right.stop)} instead of ${named(tokenizer, left.stop)}`,
      );
    }
    const id = left.stop ?? right.stop;
    if (id === END_OF_TEXT && lane.stop === id) {
      return {
        ...says(
          'end-of-text-kept',
          `the reply keeps ${named(tokenizer, id)} at its end: the server does not count it among its stop ids`,
          'look at eos_token_id in generation_config.json and at the stop ids of the server',
        ),
        ...promise,
      };
    }
    return lane.stop === undefined
      ? {
          ...says(
            'eos-trimmed',
            `the terminal stop id ${named(tokenizer, id)} is missing; the lane promises to keep it`,
          ),
          ...promise,
        }
      : {
          ...says(
            'eos-kept',
            `the terminal stop id ${named(tokenizer, id)} is kept; the lane promises to trim it`,
          ),
          ...promise,
        };
  }
  const limit = found.turn?.max_tokens;
  const past = bad.findIndex((id, at) => STOP_IDS.has(id) && at < bad.length - 1);
  if (past !== -1 && beginsWith(bad, left.body) && past === left.body.length) {
    return says(
      'ran-past-stop',
      `the reply runs ${bad.length - past - 1} ids past ${named(tokenizer, bad[past])}`,
      `index ${past}: ${idsAt(tokenizer, bad, past)}`,
      'look at eos_token_id in generation_config.json and at the stop ids of the server',
    );
  }
  if (beginsWith(bad, left.body) && limit !== undefined && bad.length > limit) {
    return says('limit-ignored', `the reply has ${bad.length} ids, the limit that was sent is ${limit}`);
  }
  if (right.body.length < good.length && beginsWith(good, right.body)) {
    const end = right.stop === undefined ? 'without a stop id' : `on ${named(tokenizer, right.stop)}`;
    return says(
      'cut-short',
      `the reply ends after ${bad.length} of ${good.length} ids, ${end}`,
      ...(limit === undefined ? [] : [`the limit that was sent is ${limit}`]),
    );
  }
  return undefined;
};

function stopOf(ids: readonly number[]): { body: readonly number[]; stop: number | undefined } {
  const last = ids.at(-1);
  if (last === undefined || !STOP_IDS.has(last)) return { body: ids, stop: undefined };
  return { body: ids.slice(0, -1), stop: last };
}
