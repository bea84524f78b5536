import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { DialectName, History } from '../domain.ts';
import { InvalidError } from '../errors.ts';
import type { ChatTokenizer } from '../oracle/tokenizer.ts';
import type { Golden } from '../schemas/types.ts';
import { checkDocument } from '../schemas/validate.ts';
import { unfoldCore } from './codec.ts';
import { printGolden } from './print.ts';
import { contradictingRow } from './rows.ts';

/** Which golden: one per scenario, model and history. */
export interface GoldenKey {
  model: string;
  history: History;
  scenario: string;
}

/** The folder `goldens/` of a project. */
export class GoldenStore {
  readonly root: string;
  private readonly tokenizer: ChatTokenizer;

  constructor(root: string, tokenizer: ChatTokenizer) {
    this.root = root;
    this.tokenizer = tokenizer;
  }

  /** Path of a golden, relative to the working directory when it lies below it. */
  file({ model, history, scenario }: GoldenKey): string {
    const path = join(this.root, model, history, `${scenario}.json`);
    return relative(process.cwd(), path) || path;
  }

  exists(key: GoldenKey): boolean {
    return existsSync(this.file(key));
  }

  /** Reads a golden and proves that its words and ids agree. Throws {@link InvalidError}. */
  load(key: GoldenKey): Golden {
    const file = this.file(key);
    if (!existsSync(file)) {
      throw new InvalidError(`no golden for ${key.scenario} (model ${key.model}, history ${key.history})`, {
        where: file,
        hint: `record one with: parity record ${key.scenario} --reason "…"`,
      });
    }
    const golden = readGolden(file);
    if (golden.scenario !== key.scenario || golden.model !== key.model || golden.history !== key.history) {
      throw new InvalidError(`the file is of ${golden.model}/${golden.history}/${golden.scenario}`, {
        where: file,
        hint: 'its name and its content must agree; move it back or record it again',
      });
    }
    checkGolden(golden, this.tokenizer, file);
    return golden;
  }

  /** Writes a golden in its canonical form, whole or not at all. */
  save(golden: Golden): string {
    const file = this.file(golden);
    mkdirSync(dirname(file), { recursive: true });
    const temporary = `${file}.${process.pid}.tmp`;
    writeFileSync(temporary, printGolden(golden));
    renameSync(temporary, file);
    return file;
  }

  /** Every golden file, as its key. */
  list(): GoldenKey[] {
    if (!existsSync(this.root)) return [];
    return readdirSync(this.root, { recursive: true, encoding: 'utf8' })
      .map((path) =>
        path
          .split(sep)
          .join('/')
          .match(/^([^/]+)\/(spliced|rerendered)\/(.+)\.json$/),
      )
      .filter((match) => match !== null)
      .map(([, model = '', history, scenario = '']) => ({
        model,
        history: history === 'spliced' ? ('spliced' as const) : ('rerendered' as const),
        scenario,
      }))
      .sort((a, b) => this.file(a).localeCompare(this.file(b)));
  }
}

/** A file that has the form of a golden; whether its words and ids agree is not looked at. Throws {@link InvalidError}. */
export function readGolden(file: string): Golden {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new InvalidError('cannot be read', { where: file, hint: (error as Error).message, cause: error });
  }
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    const hint = text.includes('<<<<<<<') ? 'it holds merge-conflict markers' : (error as Error).message;
    throw new InvalidError('not JSON', { where: file, hint, cause: error });
  }
  const checked = checkDocument('golden', data);
  if (checked.ok) return checked.value;
  const [problem] = checked.problems;
  throw new InvalidError(`not a valid golden: ${problem?.path.join('.') ?? ''} ${problem?.message ?? ''}`, {
    where: file,
    hint: 'goldens are recorded, not edited; restore it or record it again',
  });
}

/** What a golden must satisfy by itself: words match ids, kept prefixes exist, every projection has every turn. */
function checkGolden(golden: Golden, tokenizer: ChatTokenizer, file: string): void {
  const fail = (what: string): never => {
    throw new InvalidError(what, {
      where: file,
      hint: 'goldens are recorded, not edited; restore it or record it again',
    });
  };
  golden.turns.forEach((turn, index) => {
    if (turn.turn !== index + 1) fail(`turn ${index + 1} is numbered ${turn.turn}`);
    for (const part of ['prompt', 'generation'] as const) {
      const bad = contradictingRow(turn[part], tokenizer);
      const row = turn[part][bad];
      if (row) fail(contradiction(turn.turn, part, bad, row[0], row[1], tokenizer));
    }
    if (turn.stop !== null && !tokenizer.knows(turn.stop))
      fail(`turn ${turn.turn}: ${turn.stop} is no token`);
  });
  unfoldCore(golden).reduce((length, { prompt, generation, stop }, index) => {
    const keep = golden.turns[index]?.keep ?? 0;
    if (keep > length) fail(`turn ${index + 1} keeps ${keep} ids of ${length}`);
    return prompt.length + generation.length + (stop === null ? 0 : 1);
  }, 0);
  for (const [dialect, projection] of Object.entries(golden.projections)) {
    if (projection.turns.length !== golden.turns.length) {
      fail(
        `the projection ${dialect as DialectName} has ${projection.turns.length} turns of ${golden.turns.length}`,
      );
    }
  }
}

function contradiction(
  turn: number,
  part: string,
  row: number,
  ids: readonly number[],
  text: string,
  tokenizer: ChatTokenizer,
): string {
  return `turn ${turn}, ${part} row ${row + 1}: the ids [${ids.join(', ')}] say ${JSON.stringify(tokenizer.decode(ids))}, the text says ${JSON.stringify(text)}`;
}
