import { Template } from '@huggingface/jinja';
import { strip } from './strip.ts';
import { traceTree } from './tracing.ts';

/**
 * A parsed template that behaves as Python's jinja2 where the JavaScript engine does not: its `strip`, `lstrip` and `rstrip`
 * ignore the characters they are given, it prints None as nothing and True as `true`, and it adds anything to a text. All of
 * it is mended in the syntax tree.
 */
export class PythonTemplate {
  private readonly template: Template;

  /** With `traced` the output also says what each part of it came from; see tracing.ts. */
  constructor(source: string, traced = false) {
    this.template = new Template(source);
    if (traced) traceTree(this.template.parsed);
    mend(this.template.parsed);
  }

  /** The rendered text. Throws what the template raises. */
  render(variables: Record<string, unknown>): string {
    return this.template.render({ ...variables, [STRIP]: stripped, [REFUSE]: refuse });
  }
}

// Names with a blank in them: no variable of a template or a request can be called so.
const STRIP = 'python strip';
const REFUSE = 'python refuse';
/** Python's spelling of what the engine prints otherwise, by the test that tells it. */
const SPELLINGS = { none: 'None', true: 'True', false: 'False' };

/** A node of the engine's syntax tree, which it walks by `type` alone. */
interface Node {
  type: string;
  [field: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const identifier = (value: string): Node => ({ type: 'Identifier', value });
const text = (value: string): Node => ({ type: 'StringLiteral', value });
const call = (name: string, args: unknown[]): Node => ({
  type: 'CallExpression',
  callee: identifier(name),
  args,
});
const test = (operand: Node, name: string): Node => ({
  type: 'TestExpression',
  operand,
  negate: false,
  test: identifier(name),
});
const choice = (condition: Node, trueExpr: Node, falseExpr: Node): Node => ({
  type: 'Ternary',
  condition,
  trueExpr,
  falseExpr,
});

/** Rewrites a node's children in place, innermost first. */
function mend(node: object): void {
  for (const [field, child] of Object.entries(node)) {
    const isBlock = field === 'body' || field === 'alternate' || field === 'defaultBlock';
    if (Array.isArray(child)) child.splice(0, child.length, ...child.map((item) => mended(item, isBlock)));
    else Object.assign(node, { [field]: mended(child, false) });
  }
}

function mended(node: unknown, isStatement: boolean): unknown {
  if (!isNode(node)) return node;
  mend(node);
  const instead = stripCall(node) ?? checkedSum(node);
  if (instead) return instead;
  // An expression that stands as a statement is printed; other kinds can only yield text.
  const isPrinted = isStatement && (node.type === 'MemberExpression' || node.type === 'Identifier');
  return isPrinted ? spelled(node) : node;
}

/** `'None' if value is none else …` around a printed value. */
function spelled(node: Node): Node {
  let chain = node;
  for (const [name, spelling] of Object.entries(SPELLINGS)) {
    chain = choice(test(node, name), text(spelling), chain);
  }
  return chain;
}

/** `a + b` that refuses a text and something else, as Python does; undefined for any other node. */
function checkedSum(node: Node): Node | undefined {
  const { operator, left, right } = node;
  if (node.type !== 'BinaryExpression' || !isNode(operator) || operator.value !== '+') return undefined;
  if (!isNode(left) || !isNode(right)) return undefined;
  const differ = {
    type: 'BinaryExpression',
    operator: { type: 'ComparisonBinaryOperator', value: '!=' },
    left: test(left, 'string'),
    right: test(right, 'string'),
  };
  return choice(differ, call(REFUSE, []), node);
}

/** `text.lstrip('x')` as a call of our own function; undefined for any other node. */
function stripCall(node: Node): Node | undefined {
  const { callee, args } = node;
  if (node.type !== 'CallExpression' || !isNode(callee) || callee.type !== 'MemberExpression')
    return undefined;
  const { object, property } = callee;
  if (!isNode(property) || !Array.isArray(args)) return undefined;
  const sides = SIDES.get(property.value);
  return sides === undefined ? undefined : call(STRIP, [object, text(sides), ...args]);
}

const SIDES = new Map<unknown, string>([
  ['strip', 'both'],
  ['lstrip', 'left'],
  ['rstrip', 'right'],
]);

function stripped(text: unknown, sides: unknown, chars?: unknown): string {
  if (typeof text !== 'string') throw new TypeError('only text can be stripped');
  return strip(
    text,
    sides === 'left' || sides === 'right' ? sides : 'both',
    typeof chars === 'string' ? chars : undefined,
  );
}

function refuse(): never {
  throw new TypeError('a text and a value that is none cannot be added');
}
