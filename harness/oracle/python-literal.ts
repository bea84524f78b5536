import type { Json } from '../json/value.ts';
import { NUMBER, readNumber } from './python-number.ts';
import { PythonString } from './python-string.ts';
import { dictOf, type Literal, listOf, UNPRINTABLE } from './python-value.ts';

class NoLiteral extends Error {}

/**
 * Python's `ast.literal_eval`, its value as JSON would show it: a tuple is a list, a key of a dict a text. Undefined for
 * whatever is not a literal, and for two rare ones: a sum with an imaginary number, a character by its Unicode name.
 */
export function readLiteral(text: string): Literal | undefined {
  try {
    return new LiteralReader(text).whole();
  } catch (error) {
    if (error instanceof NoLiteral || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const WORD = /[A-Za-z_]\w*/y;
const WORDS = new Map<string, Json>([
  ['None', null],
  ['True', true],
  ['False', false],
]);
/** Python's tokenizer refuses deeper brackets. */
const MAX_DEPTH = 200;
const CLOSING = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);

class LiteralReader {
  readonly text: string;
  at = 0;
  depth = 0;
  constructor(text: string) {
    this.text = text;
  }

  /** A whole expression; commas outside brackets make a tuple. */
  whole(): Literal {
    const first = this.value();
    this.skip();
    if (this.text[this.at] !== ',') return this.ended(first);
    const items: Literal[] = [first];
    while (this.take(',')) {
      this.skip();
      if (this.at === this.text.length) break;
      items.push(this.value());
      this.skip();
    }
    return this.ended(listOf(items));
  }

  private ended(value: Literal): Literal {
    if (this.at < this.text.length) throw new NoLiteral();
    return value;
  }

  private value(): Literal {
    this.skip();
    const char = this.text[this.at] ?? '';
    if (CLOSING.has(char)) return this.bracketed(char);
    if (char === '+' || char === '-') return this.signed(char);
    const string = PythonString.at(this.text, this.at);
    if (string) return this.strings(string);
    if (/[\d.]/.test(char)) return this.number('');
    const word = this.match(WORD);
    if (word === 'set' && this.match(/\s*\(\s*\)/y)) return UNPRINTABLE;
    const value = WORDS.get(word);
    if (value === undefined) throw new NoLiteral();
    return value;
  }

  /** Only a number may follow, and only one sign. */
  private signed(sign: string): Literal {
    this.at++;
    this.skip();
    if (!/[\d.]/.test(this.text[this.at] ?? '')) throw new NoLiteral();
    return this.number(sign === '-' ? '-' : '');
  }

  private number(sign: '' | '-'): Literal {
    if (sign === '' && this.text.startsWith('...', this.at)) {
      this.at += 3;
      return UNPRINTABLE;
    }
    const found = this.match(NUMBER);
    const number = /\w/.test(this.text[this.at] ?? '') ? undefined : readNumber(found, sign);
    if (number === undefined) throw new NoLiteral();
    return number === 'complex' ? UNPRINTABLE : number;
  }

  /** Adjacent strings are one; bytes and texts do not mix. */
  private strings(first: PythonString): Literal {
    let text = '';
    for (let string: PythonString | undefined = first; string; string = PythonString.at(this.text, this.at)) {
      if (string.isBytes !== first.isBytes) throw new NoLiteral();
      text += string.value;
      this.at = string.end;
      this.skip();
    }
    return first.isBytes ? UNPRINTABLE : text;
  }

  private bracketed(open: string): Literal {
    const close = CLOSING.get(open) ?? '';
    this.at++;
    if (++this.depth > MAX_DEPTH) throw new NoLiteral();
    const items: Literal[] = [];
    const keys: Literal[] = [];
    let comma = false;
    for (;;) {
      this.skip();
      if (this.take(close)) break;
      if (items.length > 0 && !comma) throw new NoLiteral();
      const item = this.value();
      this.skip();
      if (open === '{' && this.take(':')) {
        keys.push(item);
        items.push(this.value());
        this.skip();
      } else items.push(item);
      comma = this.take(',');
    }
    this.depth--;
    if (open === '{' && keys.length === items.length) return dictOf(keys, items);
    if (keys.length > 0) throw new NoLiteral();
    if (open === '{') return UNPRINTABLE; // a set
    const [only] = items;
    return open === '(' && items.length === 1 && !comma && only !== undefined ? only : listOf(items);
  }

  /** Blanks and joined lines; inside brackets also newlines and comments. At the end a comment may stand too. */
  private skip(): void {
    this.match(this.depth > 0 ? /(?:[ \t\f\r\n]|\\\r?\n|#[^\n]*)*/y : /(?:[ \t\f]|\\\r?\n|#[^\n]*$)*/y);
  }

  private take(char: string): boolean {
    if (this.text[this.at] !== char) return false;
    this.at++;
    return true;
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? '';
    this.at += found.length;
    return found;
  }
}
