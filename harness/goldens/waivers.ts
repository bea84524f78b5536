import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import type { History } from '../domain.ts';
import type { Waiver } from '../schemas/types.ts';
import { loadYaml } from '../yaml/load.ts';

/** Both sides of a difference as a waiver pins them; undefined is an absent value. */
export interface Pins {
  expected: unknown;
  actual: unknown;
}

/** Lists of ids are pinned by their hash: `sha256:<hex>` over their JSON. */
export function pin(value: unknown): unknown {
  const isIds = Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number');
  return isIds ? `sha256:${createHash('sha256').update(JSON.stringify(value)).digest('hex')}` : value;
}

/** Whether a difference is waived; a waiver of its place that does not hold says why. */
export type Waived =
  | { status: 'waived'; waiver: Waiver }
  | { status: 'void'; waiver: Waiver; why: string }
  | undefined;

/** Known, owned, dated divergences of lanes (`goldens/waivers.yaml`). */
export class WaiverList {
  private readonly waivers: readonly Waiver[];
  private readonly today: string;

  /** `today` is an ISO date, `2026-11-30`. */
  constructor(waivers: readonly Waiver[], today: string) {
    this.waivers = waivers;
    this.today = today;
  }

  static load(file: string, today: string): WaiverList {
    if (!existsSync(file)) return new WaiverList([], today);
    return new WaiverList(loadYaml('waivers', relative(process.cwd(), file) || file).document.waivers, today);
  }

  /** Scenarios in which a lane has a waiver. */
  scenariosOf(lane: string): string[] {
    const own = this.waivers.filter((waiver) => waiver.lane === lane);
    return [...new Set(own.map(({ scenario }) => scenario))];
  }

  judge(
    place: { lane: string; scenario: string; turn: number; field: string; history: History },
    pins: Pins,
  ): Waived {
    const waiver = this.waivers.find((entry) => isAt(entry, place));
    if (!waiver) return undefined;
    if (waiver.expires < this.today)
      return { status: 'void', waiver, why: `its waiver expired on ${waiver.expires}` };
    if (!same(waiver.actual, pin(pins.actual)))
      return { status: 'void', waiver, why: 'its waiver pins another deviating value' };
    if (!same(waiver.expected, pin(pins.expected)))
      return { status: 'void', waiver, why: 'its waiver pins another expected value' };
    return { status: 'waived', waiver };
  }

  /** Waivers of played scenarios that nothing used: what they excuse no longer happens. */
  unused(used: ReadonlySet<Waiver>, played: (lane: string, scenario: string) => boolean): Waiver[] {
    return this.waivers.filter((waiver) => !used.has(waiver) && played(waiver.lane, waiver.scenario));
  }
}

const isAt = (
  waiver: Waiver,
  place: { lane: string; scenario: string; turn: number; field: string; history: History },
): boolean =>
  waiver.lane === place.lane &&
  waiver.scenario === place.scenario &&
  waiver.turn === place.turn &&
  waiver.field === place.field &&
  (waiver.history ?? place.history) === place.history;

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
