import { JsonSyntaxError, parseJson } from '../json/parse.ts';
import { dumpsPython } from '../json/print.ts';
import type { JsonObject } from '../json/value.ts';
import { unescapeHtml } from './html.ts';
import { readLiteral } from './python-literal.ts';
import { type Literal, UNPRINTABLE } from './python-value.ts';
import { strip } from './strip.ts';
import type { ParsedCall } from './tools.ts';

const FUNCTION = /<function=(.*?)<\/function>|<function=(.*)$/gs;
const PARAMETER = /<parameter=(.*?)<\/parameter>|<parameter=(.*?)$/gs;

/**
 * The functions of one `<tool_call>` block in the tag form of Qwen3-Coder. A function or a parameter may lack its end; one
 * whose head lacks `>` is skipped, and so is a function with a value that Python reads but JSON has no form for.
 */
export function functionsIn(block: string): ParsedCall[] {
  return elements(block, FUNCTION).flatMap(({ name, body }) => {
    const parameters: JsonObject = new Map();
    for (const parameter of elements(body, PARAMETER)) {
      const value = read(strip(parameter.body));
      if (value === UNPRINTABLE) return [];
      parameters.set(parameter.name, value);
    }
    return [{ name, arguments: dumpsPython(parameters) }];
  });
}

function elements(text: string, pattern: RegExp): { name: string; body: string }[] {
  return [...text.matchAll(pattern)].flatMap(([, closed, open]) => {
    const inner = closed || open || '';
    const head = inner.indexOf('>');
    return head === -1 ? [] : [{ name: strip(inner.slice(0, head)), body: inner.slice(head + 1) }];
  });
}

/** References resolved, then JSON, then a Python literal, else the text itself. */
function read(raw: string): Literal {
  const text = unescapeHtml(raw);
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
  }
  const literal = readLiteral(text);
  return literal === undefined ? text : literal;
}
