import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { InvalidError } from '../errors.ts';
import { parseJson } from '../json/parse.ts';
import type { Json } from '../json/value.ts';
import type { Results, Run, Transcript } from '../schemas/types.ts';
import { checkDocument, type DocumentKind } from '../schemas/validate.ts';
import { requireNames, requirePlace } from './whole.ts';

/** Of a server's log, this much of its end is shown beside a finding. */
const LOG_BYTES = 4_000;
const LOG_LINES = 5;

/**
 * What one run writes: `run.json`, `transcripts/<lane>/<scenario>.json`, `exchanges/<lane>/<scenario>/<turn>.*` (raw
 * bytes), `logs/<lane>.log`, `events.jsonl`, `results.json`. A recorded run can be judged again from it without a server.
 */
export class RunFolder {
  readonly path: string;
  private pending: Promise<void>[] = [];
  /** Milliseconds spent on writing, or on waiting for it. */
  writeMs = 0;

  constructor(path: string) {
    this.path = path;
  }

  /** Makes an empty run folder; refuses, and leaves alone, one that holds something else than a run of ours. */
  static create(path: string): RunFolder {
    if (existsSync(path)) {
      if (!statSync(path).isDirectory())
        throw new InvalidError('the run folder is a file', { where: path, hint: 'name another with --out' });
      if (!isEmpty(path) && !holdsRun(path)) {
        throw new InvalidError('the folder exists and is no run folder', {
          where: path,
          hint: 'name an empty or new folder with --out',
        });
      }
      for (const part of [
        'run.json',
        'results.json',
        'events.jsonl',
        'transcripts',
        'exchanges',
        'templates',
        'logs',
      ]) {
        rmSync(join(path, part), { recursive: true, force: true });
      }
    }
    mkdirSync(path, { recursive: true });
    return new RunFolder(path);
  }

  /** Opens a recorded run by folder, or by the name of one under `reports` (`last` is the newest). */
  static open(run: string, reports: string): RunFolder {
    for (const path of [run, join(reports, run)]) {
      if (existsSync(join(path, 'run.json'))) return new RunFolder(path);
    }
    throw new InvalidError(`no run '${run}'`, {
      hint: `name a run folder, or one under ${reports} such as \`last\``,
    });
  }

  /** Where the logs of started servers go. */
  get logs(): string {
    return join(this.path, 'logs');
  }

  writeRun(run: Run): void {
    this.writeJson('run.json', run, 2);
  }

  readRun(): Run {
    const run = this.read('run', 'run.json');
    requireNames(run, join(this.path, 'run.json'));
    return run;
  }

  writeTranscript(transcript: Transcript): void {
    this.writeJson(join('transcripts', transcript.lane, `${transcript.scenario}.json`), transcript);
  }

  readTranscript(lane: string, scenario: string): Transcript {
    const name = join('transcripts', lane, `${scenario}.json`);
    const transcript = this.read('transcript', name);
    requirePlace(transcript, lane, scenario, join(this.path, name));
    return transcript;
  }

  hasTranscript(lane: string, scenario: string): boolean {
    return existsSync(join(this.path, 'transcripts', lane, `${scenario}.json`));
  }

  /** What a started server wrote to its log during one exchange: the end of it, in lines. */
  logLines(lane: string, [from, to]: readonly [number, number]): string[] {
    const file = join(this.logs, `${lane}.log`);
    if (to <= from || !existsSync(file)) return [];
    const slice = readFileSync(file).subarray(Math.max(from, to - LOG_BYTES), to);
    return slice.toString().split('\n').filter(Boolean).slice(-LOG_LINES);
  }

  writeResults(results: Results): void {
    this.writeJson('results.json', results, 2);
  }

  readResults(): Results {
    return this.read('results', 'results.json');
  }

  /** A chat template that is not the tokenizer's own, so that the run can be judged from its folder alone. */
  writeTemplate(hash: string, source: string): void {
    mkdirSync(join(this.path, 'templates'), { recursive: true });
    writeFileSync(join(this.path, 'templates', `${hash}.jinja`), source);
  }

  readTemplate(hash: string): string | undefined {
    const file = join(this.path, 'templates', `${hash}.jinja`);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  }

  /** Raw bytes of one exchange, written while the next turn runs. */
  writeExchange(name: string, request: Buffer, response: Buffer | undefined): void {
    mkdirSync(dirname(join(this.path, name)), { recursive: true });
    this.pending.push(writeFile(join(this.path, `${name}.request.json`), request));
    if (response) this.pending.push(writeFile(join(this.path, `${name}.response.txt`), response));
  }

  /** The answer's bytes of one exchange. Throws {@link InvalidError} when the folder has lost them. */
  readResponse(name: string): string {
    const file = join(this.path, `${name}.response.txt`);
    try {
      return readFileSync(file, 'utf8');
    } catch (error) {
      throw unreadable(file, error);
    }
  }

  /** The request of one exchange. Throws {@link InvalidError} when the folder has lost it. */
  readRequest(name: string): Json {
    const file = join(this.path, `${name}.request.json`);
    try {
      return parseJson(readFileSync(file, 'utf8'));
    } catch (error) {
      throw unreadable(file, error);
    }
  }

  event(event: Record<string, unknown>): void {
    appendFileSync(
      join(this.path, 'events.jsonl'),
      `${JSON.stringify({ at: new Date().toISOString(), ...event })}\n`,
    );
  }

  /** Waits for everything that is still being written. */
  async flush(): Promise<void> {
    const pending = this.pending;
    this.pending = [];
    const startedAt = performance.now();
    await Promise.all(pending);
    this.writeMs += performance.now() - startedAt;
  }

  private writeJson(name: string, value: unknown, indent?: number): void {
    const startedAt = performance.now();
    const file = join(this.path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(value, null, indent)}\n`);
    this.writeMs += performance.now() - startedAt;
  }

  private read<K extends DocumentKind>(kind: K, name: string) {
    const file = join(this.path, name);
    let data: unknown;
    try {
      data = JSON.parse(readFileSync(file, 'utf8'));
    } catch (error) {
      throw unreadable(file, error);
    }
    const checked = checkDocument(kind, data);
    if (checked.ok) return checked.value;
    const [problem] = checked.problems;
    throw new InvalidError(`not a valid ${kind}: ${problem?.path.join('.')} ${problem?.message}`, {
      where: file,
    });
  }
}

/** Whether a folder has a `run.json` that a run wrote; another program's file of that name is none. */
function holdsRun(path: string): boolean {
  try {
    new RunFolder(path).readRun();
    return true;
  } catch (error) {
    if (error instanceof InvalidError) return false;
    throw error;
  }
}

const isEmpty = (path: string): boolean => readdirSync(path).length === 0;

const unreadable = (where: string, error: unknown): InvalidError =>
  new InvalidError('cannot be read', { where, hint: (error as Error).message, cause: error });

/** That `reports/last` can be pointed at a new run; decided before anything is played. Throws {@link InvalidError}. */
export function requireLinkable(reports: string): void {
  const link = join(reports, 'last');
  const found = lstatSync(link, { throwIfNoEntry: false });
  if (!found || found.isSymbolicLink()) return;
  throw new InvalidError('it is no link, so it cannot point at the newest run', {
    where: link,
    hint: 'move it away, or name a run folder with --out',
  });
}

/** Points `reports/last` at a run, in one step so that two runs at once cannot trip over each other. */
export function linkLast(reports: string, id: string): void {
  const temporary = join(reports, `.last-${process.pid}`);
  rmSync(temporary, { force: true }); // left behind by a killed process of the same number
  symlinkSync(id, temporary);
  renameSync(temporary, join(reports, 'last'));
}
