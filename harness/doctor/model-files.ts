import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, fail, ok } from './check.ts';

/** What a checkpoint of the scripted model must agree with. */
export interface Known {
  tokenizer: string;
  /** Entries of the project's codebook; undefined where it has none. */
  entries: number | undefined;
}

/** Largest head of a safetensors file that is read. */
const MAX_HEAD = 100 * 1024 * 1024;

/** Whether a model folder is whole: config, tokenizer, every byte of the weights; and, if it is ours, not out of date. */
export function modelCheck(dir: string, known: Known): Check {
  const what = 'model';
  try {
    const config = jsonFile(dir, 'config.json');
    jsonFile(dir, 'tokenizer.json');
    jsonFile(dir, 'tokenizer_config.json');
    const shards = shardsOf(dir);
    const bytes = shards.reduce((sum, name) => sum + wholeSafetensors(dir, name), 0);
    const stale = staleness(dir, known);
    if (stale) return fail(what, `${dir}: ${stale}`, `parity model --out ${dir}`);
    const kind = typeof config.model_type === 'string' ? config.model_type : 'unknown type';
    const size = `${(bytes / 1e6).toFixed(1)} MB`;
    return ok(what, `${dir}: ${kind}, ${shards.length} safetensors, ${size}, whole`);
  } catch (error) {
    const remedy = 'fetch the model anew; the scripted one: parity model --out DIR';
    return fail(what, `${dir}: ${(error as Error).message}`, remedy);
  }
}

function jsonFile(dir: string, name: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(join(dir, name), 'utf8');
  } catch {
    throw new Error(`${name} is missing`);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // said below
  }
  throw new Error(`${name} is no JSON object`);
}

const exists = (dir: string, name: string): boolean =>
  statSync(join(dir, name), { throwIfNoEntry: false }) !== undefined;

/** The weight files: the one, or those that the index names. */
function shardsOf(dir: string): string[] {
  const index = 'model.safetensors.index.json';
  if (!exists(dir, index)) {
    if (!exists(dir, 'model.safetensors')) throw new Error('model.safetensors is missing');
    return ['model.safetensors'];
  }
  const map = jsonFile(dir, index).weight_map;
  const names = typeof map === 'object' && map !== null ? Object.values(map) : [];
  const shards = [...new Set(names)].filter((name) => typeof name === 'string');
  if (shards.length === 0) throw new Error(`${index} names no file`);
  const foreign = shards.find((name) => !/^[\w.-]+\.safetensors$/.test(name));
  if (foreign !== undefined) throw new Error(`${index} names ${foreign}, which is no file beside it`);
  const gone = shards.find((name) => !exists(dir, name));
  if (gone !== undefined) throw new Error(`${gone} is missing`);
  return shards;
}

/** Size of a safetensors file in bytes; throws where its head promises another. */
function wholeSafetensors(dir: string, name: string): number {
  const file = join(dir, name);
  const { size } = statSync(file);
  const descriptor = openSync(file, 'r');
  try {
    const length = Buffer.alloc(8);
    readSync(descriptor, length, 0, 8, 0);
    const head = Number(length.readBigUInt64LE());
    if (size < 8 || head > Math.min(MAX_HEAD, size)) throw new Error(`${name} is no safetensors file`);
    const text = Buffer.alloc(head);
    readSync(descriptor, text, 0, head, 8);
    const ends = [...text.toString().matchAll(/"data_offsets":\s*\[\s*\d+\s*,\s*(\d+)\s*\]/g)];
    const promised = 8 + head + Math.max(0, ...ends.map(([, end]) => Number(end)));
    if (promised !== size) throw new Error(`${name} has ${size} bytes and promises ${promised}`);
    return size;
  } finally {
    closeSync(descriptor);
  }
}

/** Why a checkpoint that `parity model` wrote no longer fits the project. */
function staleness(dir: string, known: Known): string | undefined {
  if (!exists(dir, 'teleprompter.json')) return undefined;
  const { entries, tokenizer_sha256: tokenizer } = jsonFile(dir, 'teleprompter.json');
  if (tokenizer !== known.tokenizer) return 'made with another tokenizer';
  if (known.entries === undefined || entries === known.entries) return undefined;
  return `made with ${String(entries)} codebook entries, the project has ${known.entries}`;
}
