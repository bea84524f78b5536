import { type Json, JsonNumber, type JsonObject } from './value.ts';

/** Where and why a text is not JSON; `offset` counts UTF-16 units from 0. */
export class JsonSyntaxError extends Error {
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(`${message} at offset ${offset}`);
    this.name = 'JsonSyntaxError';
    this.offset = offset;
  }
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
/** Code of the blank: no white space of JSON is above it. */
const BLANK = 0x20;
const SPACE = /[ \t\n\r]*/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPES: Record<string, string> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const WORDS: Record<string, Json> = {
  true: true,
  false: false,
  null: null,
  NaN: new JsonNumber('NaN'),
  Infinity: new JsonNumber('Infinity'),
  '-Infinity': new JsonNumber('-Infinity'),
};

/** Numbers below this are kept once and shared; it covers every token id of the vocabulary. */
const SHARED = 200_000;
const shared: JsonNumber[] = [];

/** Levels of nesting beyond which a text is refused: server output is hostile, and recursion is finite. */
const MAX_DEPTH = 500;

/**
 * Reads JSON as Python's `json.loads` does (so `NaN` and `Infinity` are accepted, lone surrogate escapes too),
 * keeping number spelling and key order. Throws {@link JsonSyntaxError}.
 */
export function parseJson(text: string): Json {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.skipSpace();
  if (reader.at < text.length) throw new JsonSyntaxError('unexpected text after the value', reader.at);
  return value;
}

/** Reads the JSON value that begins at `at`, whatever follows it; `end` is the index behind it. Throws {@link JsonSyntaxError}. */
export function parseJsonPrefix(text: string, at: number): { value: Json; end: number } {
  const reader = new Reader(text);
  reader.at = at;
  return { value: reader.value(0), end: reader.at };
}

class Reader {
  readonly text: string;
  at = 0;
  constructor(text: string) {
    this.text = text;
  }

  skipSpace(): void {
    if (this.text.charCodeAt(this.at) <= BLANK) this.match(SPACE);
  }

  value(depth: number): Json {
    if (depth > MAX_DEPTH) throw new JsonSyntaxError(`nested deeper than ${MAX_DEPTH}`, this.at);
    this.skipSpace();
    const char = this.text[this.at];
    if (char === '{') return this.object(depth);
    if (char === '[') return this.array(depth);
    if (char === '"') return this.string();
    const token = this.smallInteger();
    if (token) return token;
    for (const word in WORDS) {
      if (word[0] === char && this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return WORDS[word] as Json; // the key was just read from the table
      }
    }
    const lexeme = this.match(NUMBER);
    if (!lexeme) throw new JsonSyntaxError('expected a value', this.at);
    return new JsonNumber(lexeme);
  }

  /** Token ids are nearly all of a body: they are read without a pattern and shared between bodies. */
  private smallInteger(): JsonNumber | undefined {
    let at = this.at;
    let value = 0;
    for (;;) {
      const digit = this.text.charCodeAt(at) - 48;
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
      at++;
    }
    const next = this.text[at];
    const first = this.text[this.at];
    if (at === this.at || value >= SHARED || (first === '0' && at > this.at + 1)) return undefined;
    if (next !== ',' && next !== ']') return undefined;
    this.at = at;
    const known = shared[value] ?? new JsonNumber(String(value));
    shared[value] = known;
    return known;
  }

  private object(depth: number): JsonObject {
    const object: JsonObject = new Map();
    this.at++;
    this.skipSpace();
    if (this.take('}')) return object;
    do {
      this.skipSpace();
      if (this.text[this.at] !== '"') throw new JsonSyntaxError('expected a key in double quotes', this.at);
      const key = this.string();
      this.skipSpace();
      if (!this.take(':')) throw new JsonSyntaxError("expected ':'", this.at);
      object.set(key, this.value(depth + 1));
      this.skipSpace();
    } while (this.take(','));
    if (!this.take('}')) throw new JsonSyntaxError("expected ',' or '}'", this.at);
    return object;
  }

  private array(depth: number): Json[] {
    const array: Json[] = [];
    this.at++;
    this.skipSpace();
    if (this.take(']')) return array;
    do {
      array.push(this.value(depth + 1));
      this.skipSpace();
    } while (this.take(','));
    if (!this.take(']')) throw new JsonSyntaxError("expected ',' or ']'", this.at);
    return array;
  }

  private string(): string {
    this.at++;
    let out = '';
    for (;;) {
      out += this.match(PLAIN);
      const char = this.text[this.at];
      if (char === '"') {
        this.at++;
        return out;
      }
      if (char !== '\\') {
        throw new JsonSyntaxError(
          char === undefined ? 'unterminated string' : 'control character in a string',
          this.at,
        );
      }
      out += this.escape();
    }
  }

  private escape(): string {
    const letter = this.text[this.at + 1] ?? '';
    if (letter === 'u') {
      const hex = this.text.slice(this.at + 2, this.at + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(hex)) throw new JsonSyntaxError('bad \\u escape', this.at);
      this.at += 6;
      return String.fromCharCode(Number.parseInt(hex, 16));
    }
    const plain = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
    if (plain === undefined) throw new JsonSyntaxError('bad escape', this.at);
    this.at += 2;
    return plain;
  }

  private take(char: string): boolean {
    if (this.text[this.at] !== char) return false;
    this.at++;
    return true;
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return '';
    const from = this.at;
    this.at = pattern.lastIndex;
    return this.text.slice(from, this.at);
  }
}
