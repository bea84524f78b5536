import { dumpsPython } from '../json/print.ts';
import { truthy } from '../json/truthy.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import { SPACE } from './python-numeral.ts';
import { type Scan, scanned, type Written } from './qwen3-coder-scan.ts';
import { readPythonJson, typedArguments } from './schema-value.ts';
import { strip } from './strip.ts';
import type { ParsedCall, ToolParse } from './tools.ts';

/** vLLM fails on a text instead of leaving it as it is: the server answers 500. */
export class VllmToolError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'VllmToolError';
  }
}

/** Where versions of the parser differ. */
export interface CoderRules {
  /** What is taken off the ends of a value: all blanks, or one newline at each. @default 'blanks' */
  trims?: 'blanks' | 'newline';
  /** `</think>` in content stays. @default false */
  keepsThinkEnd?: boolean;
  /** Without calls, content lacks the markup of calls that came to nothing, and is no longer the whole text. @default false */
  dropsMarkup?: boolean;
  /** Content behind calls that came to nothing stands behind the content before them, not in front of it. @default false */
  inOrder?: boolean;
}

/**
 * vLLM's `qwen3_coder` tool parser, also named `qwen3_xml` (`vllm/parser/qwen3.py`): functions and parameters as tags,
 * values in the types of the tool's schema, as text where the tool or the parameter is unknown. Ends may be missing, but a
 * last parameter without its end is lost. With calls, content is what precedes the first one, stripped, null if nothing is
 * left; without, it is the whole text. `tools` are the request's definitions, `rules` by default those of 0.25.1.
 * Throws {@link VllmToolError}.
 */
export function toolsQwen3CoderVllm(text: string, tools: readonly Json[], rules: CoderRules = {}): ToolParse {
  const scan = scanned(text, rules.keepsThinkEnd);
  const calls = callsOf(scan, tools, rules);
  // Half a surrogate pair, which JSON in a value can spell, has no UTF-8 form: the server fails when it prints the answer.
  if (!calls.every((call) => call.arguments.isWellFormed() && call.name.isWellFormed())) {
    throw new VllmToolError('half of a surrogate pair');
  }
  const whole = calls.length === 0 && !rules.dropsMarkup;
  return { content: whole ? text : shown(scan, calls, rules), calls };
}

/**
 * Content of a reply to a request that wants no calls, which the parser reads all the same: with tools offered and
 * `tool_choice: none` everything outside the calls, without tools what {@link toolsQwen3CoderVllm} would show beside them.
 */
export function contentQwen3CoderVllm(
  text: string,
  tools: readonly Json[],
  rules: CoderRules = {},
): string | null {
  const scan = scanned(text, rules.keepsThinkEnd);
  if (tools.length > 0) return scan.before + scan.after || null;
  return shown(scan, callsOf(scan, tools, rules), rules);
}

/** Content beside calls. What follows them is lost, unless no function has a name that shows before its arguments are read. */
function shown(
  { functions, before, after, hasBlock }: Scan,
  calls: readonly ParsedCall[],
  { inOrder }: CoderRules,
): string | null {
  const all = inOrder ? before + after : after + before;
  const content = functions.some((written) => nameOf(written) !== '') ? before : all;
  const stripped = strip(content);
  if (calls.length > 0 || (hasBlock && stripped === '')) return stripped || null;
  return content || null;
}

function callsOf({ functions }: Scan, tools: readonly Json[], rules: CoderRules): ParsedCall[] {
  return functions.flatMap((written) => {
    const name = strip(nameOf(written));
    const call =
      name === ''
        ? namelessCall(written.body)
        : { name, arguments: dumpsPython(parametersIn(written.body, rules)) };
    return call ? [{ name: call.name, arguments: typed(call, tools) }] : [];
  });
}

const NAME_IN_BODY = new RegExp(`"name"${SPACE}*:${SPACE}*"([^"]*)"`);

/** A function without a name takes one that its body spells like JSON. */
const nameOf = ({ name, body }: Written): string => name || (NAME_IN_BODY.exec(body)?.[1] ?? '');

const PARAMETER_START = `<${SPACE}*parameter${SPACE}*=`;
const PARAMETER = new RegExp(
  `${PARAMETER_START}${SPACE}*([^>]*)>(.*?)(?:<${SPACE}*/${SPACE}*parameter${SPACE}*>|(?=${PARAMETER_START}))`,
  'gs',
);

const parametersIn = (body: string, { trims }: CoderRules): JsonObject =>
  new Map(
    [...body.matchAll(PARAMETER)].map(([, name = '', value = '']) => [
      name,
      trims === 'newline' ? value.replace(/^\n/, '').replace(/\n$/, '') : strip(value),
    ]),
  );

/** The call in a body of JSON under a blank name. */
function namelessCall(body: string): ParsedCall | undefined {
  const value = readPythonJson(strip(body));
  const name = isObject(value) ? value.get('name') : undefined;
  if (!isObject(value) || !truthy(name)) return undefined;
  if (typeof name !== 'string') throw new VllmToolError('a name that is no text');
  const given = value.has('arguments') ? value.get('arguments') : value.get('parameters');
  if (typeof given === 'string') return { name, arguments: given };
  const rest = new Map([...value].filter(([key]) => key !== 'name'));
  return { name, arguments: dumpsPython(given === undefined ? rest : given) };
}

/** Arguments in the types of the tool's schema, printed anew only where that changed one. */
function typed(call: ParsedCall, tools: readonly Json[]): string {
  const properties = propertiesOf(call.name, tools);
  const args = properties ? readPythonJson(call.arguments) : undefined;
  if (!properties || !isObject(args)) return call.arguments;
  const { args: out, changed } = typedArguments(args, properties);
  return changed ? dumpsPython(out) : call.arguments;
}

function propertiesOf(name: string, tools: readonly Json[]): JsonObject | undefined {
  const functions = tools.map((tool) => (isObject(tool) ? tool.get('function') : undefined)).filter(isObject);
  const parameters = functions.find((fn) => fn.get('name') === name)?.get('parameters');
  const properties = isObject(parameters) ? parameters.get('properties') : undefined;
  if (!truthy(properties)) return undefined;
  if (!isObject(properties)) throw new VllmToolError('properties that are no object');
  return properties;
}
