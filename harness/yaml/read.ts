import { readFileSync, statSync } from 'node:fs';
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
} from 'yaml';
import { InvalidError } from '../errors.ts';
import { type Json, JsonNumber, type JsonObject } from '../json/value.ts';

/** A YAML file with its numbers as they are spelled, its keys in their order, and the place of everything. */
export interface YamlFile {
  file: string;
  text: string;
  value: Json;
  /** `file:line:col` of the key or item that a path leads to, or of its nearest parent that exists. */
  locate(path: readonly string[]): string;
}

/** Larger files are refused: nobody reviews them. */
const MAX_BYTES = 1024 * 1024;
const MAX_DEPTH = 64;
/** Nodes that aliases may add, against documents that unfold without end. */
const MAX_ALIASES = 100;
const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/;

/** Reads one YAML 1.2 document. Throws {@link InvalidError} with the place of the fault. */
export function readYaml(file: string): YamlFile {
  let text: string;
  try {
    if (statSync(file).size > MAX_BYTES) throw new InvalidError('larger than 1 MiB', { where: file });
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof InvalidError) throw error;
    throw new InvalidError('cannot be read', { where: file, hint: (error as Error).message, cause: error });
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { version: '1.2', schema: 'core', lineCounter: lines });
  const place = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  const fault = document.errors[0] ?? document.warnings[0];
  if (fault) throw new InvalidError(firstLine(fault.message), { where: place(fault.pos[0]) });
  if (!isNode(document.contents)) throw new InvalidError('the file is empty', { where: file });
  const reader = new LosslessReader(document, place);
  return {
    file,
    text,
    value: reader.value(document.contents, 0),
    locate: (path) => place(offsetOf(document.contents, path)),
  };
}

class LosslessReader {
  private readonly document: Document;
  private readonly place: (offset: number) => string;
  private aliases = 0;

  constructor(document: Document, place: (offset: number) => string) {
    this.document = document;
    this.place = place;
  }

  value(node: unknown, depth: number): Json {
    if (depth > MAX_DEPTH) throw this.fault(node, `nested deeper than ${MAX_DEPTH} levels`);
    if (isAlias(node)) {
      this.aliases++;
      if (this.aliases > MAX_ALIASES) throw this.fault(node, `more than ${MAX_ALIASES} aliases`);
      return this.value(node.resolve(this.document), depth + 1);
    }
    if (isMap(node)) {
      const object: JsonObject = new Map();
      for (const { key, value } of node.items) {
        if (!isScalar(key) || typeof key.value !== 'string') {
          throw this.fault(key, 'a key that is not text', 'put the key in quotes');
        }
        object.set(key.value, this.value(value, depth + 1));
      }
      return object;
    }
    if (isSeq(node)) return node.items.map((item) => this.value(item, depth + 1));
    if (!isScalar(node)) return null; // `key:` with nothing after it
    const { value } = node;
    if (typeof value === 'number' || typeof value === 'bigint') {
      const source = node.source ?? '';
      if (JSON_NUMBER.test(source)) return new JsonNumber(source);
      throw this.fault(
        node,
        `${source} is not a JSON number`,
        'spell it as JSON does, or quote it to make it text',
      );
    }
    if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
    throw this.fault(node, `a value of type ${typeof value}`);
  }

  private fault(node: unknown, message: string, hint?: string): InvalidError {
    const where = this.place(isNode(node) ? (node.range?.[0] ?? 0) : 0);
    return new InvalidError(message, hint ? { where, hint } : { where });
  }
}

function offsetOf(root: Node | null, path: readonly string[]): number {
  let node: unknown = root;
  let offset = root?.range?.[0] ?? 0;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && key.value === step);
      if (!pair) break;
      if (isNode(pair.key)) offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      if (isNode(node)) offset = node.range?.[0] ?? offset;
    } else break;
  }
  return offset;
}

const firstLine = (text: string): string =>
  (text.split('\n')[0] ?? text).replace(/:$/, '').replace(/ at line \d+, column \d+/, '');
