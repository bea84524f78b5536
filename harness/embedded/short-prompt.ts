import type { Teleprompter } from '../teleprompter/speak.ts';

/*
 * Below the lag there is no position D tokens back, and the attention head falls on the highest side lobe of its kernel: the
 * score of the position d tokens back is S * sum over j of cos(theta_j * (d - L)), L = D - 1, with rotary base 10,000,
 * head size 128 and S = 10, as the checkpoint is built.
 */
const FREQUENCIES = Array.from({ length: 64 }, (_, j) => 10_000 ** (-j / 64));
const SHARPNESS = 10;

const kernels = new Map<number, Float64Array>();

function kernel(lag: number): Float64Array {
  let scores = kernels.get(lag);
  if (!scores) {
    const at = (distance: number): number =>
      SHARPNESS * FREQUENCIES.reduce((sum, theta) => sum + Math.cos(theta * (distance - (lag - 1))), 0);
    scores = Float64Array.from({ length: lag }, (_, distance) => at(distance));
    kernels.set(lag, scores);
  }
  return scores;
}

/** The next id after fewer ids than the lag: the token with the largest share of attention. */
export function nextIdShort(model: Teleprompter, ids: readonly number[]): number {
  const scores = kernel(model.lag);
  const newest = ids.length - 1;
  let peak = Number.NEGATIVE_INFINITY;
  for (let distance = 0; distance <= newest; distance++) peak = Math.max(peak, scores[distance] ?? peak);
  const shares = new Map<number, number>();
  for (const [position, id] of ids.entries()) {
    const spoken = model.spokenBy.get(id) ?? id;
    const share = Math.exp((scores[newest - position] ?? Number.NEGATIVE_INFINITY) - peak);
    shares.set(spoken, (shares.get(spoken) ?? 0) + share);
  }
  let best = 0;
  let most = -1;
  for (const [id, share] of shares) if (share > most) [best, most] = [id, share];
  return best;
}
