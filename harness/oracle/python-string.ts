/** One Python string literal inside a text. */
export class PythonString {
  readonly value: string;
  readonly isBytes: boolean;
  /** Offset behind it. */
  readonly end: number;

  private constructor(value: string, isBytes: boolean, end: number) {
    this.value = value;
    this.isBytes = isBytes;
    this.end = end;
  }

  /** The literal that begins at an offset; undefined for none. Throws SyntaxError for a wrong escape. */
  static at(text: string, offset: number): PythonString | undefined {
    START.lastIndex = offset;
    const [start, prefix = '', quote = ''] = START.exec(text) ?? [];
    if (start === undefined) return undefined;
    const body = bodyIn(text, offset + start.length, quote);
    if (body === undefined) return undefined;
    const isBytes = /b/i.test(prefix);
    const end = offset + start.length + body.length + quote.length;
    return new PythonString(/r/i.test(prefix) ? body : unescaped(body, isBytes), isBytes, end);
  }
}

const START = /([rRuUbB]|[rR][bB]|[bB][rR])?("""|'''|"|')/y;

/** Everything up to the closing quote; a single-quoted string ends with its line. */
function bodyIn(text: string, start: number, quote: string): string | undefined {
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text.startsWith(quote, at)) return text.slice(start, at);
    else if (text[at] === '\n' && quote.length === 1) return undefined;
  }
  return undefined;
}

const ESCAPE = /\\(\r?\n|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[\s\S])/g;
const LETTERS: Record<string, string> = {
  ...{ a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
  ...{ '\\': '\\', "'": "'", '"': '"' },
};

function unescaped(body: string, isBytes: boolean): string {
  return body.replace(ESCAPE, (whole, code: string) => {
    const letter = code[0] ?? '';
    if (letter === '\n' || letter === '\r') return '';
    if (Object.hasOwn(LETTERS, letter)) return LETTERS[letter] ?? '';
    if (/[0-7]/.test(letter)) return String.fromCodePoint(Number.parseInt(code, 8));
    const isCode = letter === 'x' || (!isBytes && (letter === 'u' || letter === 'U'));
    if (isCode) {
      const point = code.length > 1 ? Number.parseInt(code.slice(1), 16) : Number.NaN;
      if (!(point <= 0x10ffff)) throw new SyntaxError(`a wrong escape: ${whole}`);
      return String.fromCodePoint(point);
    }
    // Named characters need Unicode's table of names, which no runtime here carries.
    if (letter === 'N' && !isBytes) throw new SyntaxError('a character by name');
    return whole;
  });
}
