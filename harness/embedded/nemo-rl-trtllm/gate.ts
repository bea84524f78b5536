import { type Json, JsonNumber, type JsonObject } from '../../json/value.ts';
import { exception } from '../refusal.ts';

/** The generation config's sampling; it alone is used, a request may only repeat it. */
export interface Gate {
  temperature: number;
  top_p: number;
  top_k: number | null;
}

/**
 * NeMo-RL's assertions on sampling: each of the three values may be absent or null, else it must equal the config's as
 * Python's `==` sees it (`false` is 0.0). Throws what is answered with 500.
 */
export function checkGate(body: JsonObject, gate: Gate): void {
  for (const key of ['temperature', 'top_p', 'top_k'] as const) {
    const asked = body.get(key) ?? null;
    if (asked !== null && numberOf(asked) !== gate[key]) {
      throw exception(`${key} differs from the generation config`);
    }
  }
}

/** What a value counts as beside a number; NaN, which equals nothing, for what is none. */
function numberOf(value: Json): number {
  if (typeof value === 'boolean') return Number(value);
  return value instanceof JsonNumber ? value.value : Number.NaN;
}
