import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import type { DialectName, History } from '../domain.ts';
import { InvalidError } from '../errors.ts';
import type { Difference, DifferenceUse, Golden, ProjectedMessage } from '../schemas/types.ts';
import { loadYaml } from '../yaml/load.ts';

/** Fields of a message in which two server kinds may differ by design. */
export const PROJECTED = ['reasoning', 'tool_calls', 'content', 'finish_reason'] as const;
export type ProjectedField = (typeof PROJECTED)[number];

/** One place at which a listed difference occurs. */
export interface Listed {
  entry: Difference;
  scenario: string;
  turn: number;
}

/** Where two messages are compared. */
export interface Place {
  scenario: string;
  turn: number;
  history: History;
}

/** The reviewed differences between projections (`goldens/differences.yaml`), looked up by place and by both values. */
export class DifferenceList {
  readonly places: readonly Listed[];
  private readonly byTurn: ReadonlyMap<string, Listed[]>;

  constructor(entries: readonly Difference[]) {
    this.places = entries.flatMap((entry) =>
      entry.at.map((at) => {
        const [, scenario = '', turn = '0'] = /^(.*):(\d+)$/.exec(at) ?? [];
        return { entry, scenario, turn: Number(turn) };
      }),
    );
    this.byTurn = Map.groupBy(this.places, ({ scenario, turn }) => `${scenario}:${turn}`);
  }

  /** Reads the file; a project without one lists nothing. Throws {@link InvalidError}. */
  static load(file: string): DifferenceList {
    if (!existsSync(file)) return new DifferenceList([]);
    const { document, locate } = loadYaml('differences', relative(process.cwd(), file) || file);
    document.differences.forEach((entry, index) => {
      const stray = Object.keys(entry.values).find((name) => !entry.between.some((side) => side === name));
      if (stray !== undefined) {
        throw new InvalidError(`a value for ${stray}, which is not one of the two`, {
          where: locate(['differences', String(index), 'values', stray]),
        });
      }
    });
    return new DifferenceList(document.differences);
  }

  /** The entry that pins exactly these two values at this place. */
  find(place: Place, field: ProjectedField, a: Side, b: Side): Listed | undefined {
    return this.at(place).find(
      ({ entry }) =>
        entry.field === field &&
        entry.between.includes(a.dialect) &&
        entry.between.includes(b.dialect) &&
        same(entry.values[a.dialect], a.message[field]) &&
        same(entry.values[b.dialect], b.message[field]),
    );
  }

  /** The entry that says what `to` makes of a value that `from` gave at this place. */
  translation(place: Place, field: ProjectedField, from: Side, to: DialectName): Listed | undefined {
    return this.at(place).find(
      ({ entry }) =>
        entry.field === field &&
        entry.between.includes(from.dialect) &&
        entry.between.includes(to) &&
        same(entry.values[from.dialect], from.message[field]),
    );
  }

  private at({ scenario, turn, history }: Place): Listed[] {
    const listed = this.byTurn.get(`${scenario}:${turn}`) ?? [];
    return listed.filter(({ entry }) => (entry.history ?? history) === history);
  }
}

export interface Side {
  dialect: DialectName;
  message: ProjectedMessage;
}

/** What comparing the projections of one golden finds. */
export interface Audit {
  used: Listed[];
  /** Differences that nobody listed. */
  unlisted: { place: Place; field: ProjectedField; a: Side; b: Side }[];
  /** Listed differences that do not occur. */
  stale: Listed[];
}

/** Checks every pair of a golden's projections against the list: an unlisted difference and a stale entry are both red. */
export function auditProjections(golden: Golden, list: DifferenceList): Audit {
  const audit: Audit = { used: [], unlisted: [], stale: [] };
  const dialects = Object.keys(golden.projections).sort() as DialectName[]; // the schema allows no other keys
  for (const [index, first] of dialects.entries()) {
    for (const second of dialects.slice(index + 1)) auditPair(golden, list, first, second, audit);
  }
  const expected = list.places.filter(
    ({ entry, scenario }) =>
      scenario === golden.scenario &&
      (entry.history ?? golden.history) === golden.history &&
      entry.between.every((dialect) => golden.projections[dialect]),
  );
  audit.stale = expected.filter((listed) => !audit.used.includes(listed));
  return audit;
}

/** An unlisted difference as an entry to review, complete and paste into goldens/differences.yaml. */
export function entryFor({ place, field, a, b }: Audit['unlisted'][number]): string {
  const value = ({ dialect, message }: Side): string[] =>
    message[field] === undefined ? [] : [`      ${dialect}: ${JSON.stringify(message[field])}`];
  return [
    '  - cause: …',
    '    reason: "…"',
    `    between: [${a.dialect}, ${b.dialect}]`,
    `    field: ${field}`,
    '    values:',
    ...value(a),
    ...value(b),
    `    at: [${place.scenario}:${place.turn}]`,
  ].join('\n');
}

function auditPair(
  golden: Golden,
  list: DifferenceList,
  first: DialectName,
  second: DialectName,
  audit: Audit,
): void {
  golden.turns.forEach(({ turn }, index) => {
    const a = golden.projections[first]?.turns[index];
    const b = golden.projections[second]?.turns[index];
    if (!a || !b) return;
    const place = { scenario: golden.scenario, turn, history: golden.history };
    for (const field of PROJECTED) {
      if (same(a[field], b[field])) continue;
      const sides = [
        { dialect: first, message: a },
        { dialect: second, message: b },
      ] as const;
      const listed = list.find(place, field, ...sides);
      if (listed) audit.used.push(listed);
      else audit.unlisted.push({ place, field, a: sides[0], b: sides[1] });
    }
  });
}

/** One server kind's message as another makes it of the same tokens, by the listed differences. */
export function translate(
  place: Place,
  from: Side,
  to: DialectName,
  list: DifferenceList,
): { message: ProjectedMessage; used: Listed[] } {
  const message = { ...from.message };
  const used: Listed[] = [];
  if (from.dialect === to) return { message, used };
  for (const field of PROJECTED) {
    const listed = list.translation(place, field, from, to);
    if (!listed) continue;
    used.push(listed);
    const value = listed.entry.values[to];
    delete message[field];
    if (value !== undefined) Object.assign(message, { [field]: value });
  }
  return { message, used };
}

/** Listed differences by cause and field, as reports show them. */
export function summariseDifferences(used: readonly Listed[]): DifferenceUse[] {
  const groups = new Map<string, DifferenceUse>();
  for (const { entry, scenario, turn } of new Set(used)) {
    const { cause, field, between, reason } = entry;
    const key = JSON.stringify([cause, field, between]);
    const group = groups.get(key) ?? { cause, field, between, reason, count: 0, at: [] };
    group.count++;
    group.at.push(`${scenario}:${turn}`);
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
