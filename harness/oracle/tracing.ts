/** What of a request a piece of a rendered prompt came from. */
export type Source =
  | { from: 'message'; index: number }
  | { from: 'tools' }
  | { from: 'generation prompt' }
  | { from: 'template' };

/** A piece of a rendered prompt, in UTF-16 units; pieces follow each other without gaps. */
export interface Span {
  text: string;
  source: Source;
}

/** A node of the engine's syntax tree, which it walks by `type` alone. */
interface Node {
  type: string;
  [field: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

// Names with a blank in them: no variable of a template or a request can be called so.
const MARK = 'python mark';
/** The key under which a traced message carries its place in the request. */
export const PLACE = 'python place';

const identifier = (value: string): Node => ({ type: 'Identifier', value });
const text = (value: string): Node => ({ type: 'StringLiteral', value });
const mark = (argument: Node, ends: boolean): Node => ({
  type: 'CallExpression',
  callee: identifier(MARK),
  args: [argument, text(ends ? 'end' : 'begin')],
});
const enclosed = (label: Node, body: readonly unknown[]): unknown[] => [
  mark(label, false),
  ...body,
  mark(label, true),
];

/**
 * Makes a template print where in its output a message, the tools or the generation prompt begin and end: around the body of
 * every loop whose variable is a message, of one over `tools`, of a condition on `tools` or `add_generation_prompt`, and around
 * what is printed of `messages[0]`. Rewrites the tree in place.
 */
export function traceTree(node: object, names = new Map<string, number>()): void {
  if (isNode(node) && node.type === 'Set') rememberName(node, names);
  for (const [field, child] of Object.entries(node)) {
    if (!Array.isArray(child)) {
      if (typeof child === 'object' && child !== null) traceTree(child, names);
      continue;
    }
    const isBlock = field === 'body' || field === 'alternate' || field === 'defaultBlock';
    for (const item of child) if (typeof item === 'object' && item !== null) traceTree(item, names);
    if (isBlock) child.splice(0, child.length, ...child.flatMap((item) => printed(item, names)));
  }
  if (!isNode(node) || !Array.isArray(node.body)) return;
  const label = labelOf(node);
  if (label) node.body.splice(0, node.body.length, ...enclosed(label, node.body));
}

/** What the body of a loop or of a condition belongs to. */
function labelOf({ type, loopvar, iterable, test }: Node): Node | undefined {
  if (type === 'For') {
    if (isNode(iterable) && iterable.type === 'Identifier' && iterable.value === 'tools')
      return text('tools');
    if (!isNode(loopvar) || loopvar.type !== 'Identifier') return undefined;
    return { type: 'MemberExpression', object: loopvar, property: text(PLACE), computed: true };
  }
  if (type !== 'If' || !isNode(test)) return undefined;
  if (test.type === 'Identifier' && test.value === 'tools') return text('tools');
  return mentions(test, (node) => node.type === 'Identifier' && node.value === 'add_generation_prompt')
    ? text('generation prompt')
    : undefined;
}

/** Statements that are no text: everything else in a block is printed. */
const SILENT = new Set([
  'For',
  'If',
  'Set',
  'Macro',
  'CallStatement',
  'FilterStatement',
  'Comment',
  'Break',
  'Continue',
]);

function printed(item: unknown, names: ReadonlyMap<string, number>): unknown[] {
  if (!isNode(item) || SILENT.has(item.type)) return [item];
  const index = messageIn(item, names);
  return index === undefined ? [item] : enclosed(text(String(index)), [item]);
}

/** A variable that is set from one message speaks for it. */
function rememberName({ assignee, value }: Node, names: Map<string, number>): void {
  if (!isNode(assignee) || assignee.type !== 'Identifier' || typeof assignee.value !== 'string') return;
  const index = isNode(value) ? messageIn(value, names) : undefined;
  if (index !== undefined) names.set(assignee.value, index);
}

/** The index in `messages[index]` where an expression names one. */
function messageIn(node: Node, names: ReadonlyMap<string, number>): number | undefined {
  let found: number | undefined;
  mentions(node, (inner) => {
    if (inner.type === 'Identifier' && typeof inner.value === 'string') found ??= names.get(inner.value);
    if (inner.type !== 'MemberExpression' || !isNode(inner.object) || !isNode(inner.property)) return false;
    const isIndex = inner.property.type === 'IntegerLiteral' && typeof inner.property.value === 'number';
    if (inner.object.type === 'Identifier' && inner.object.value === 'messages' && isIndex) {
      found ??= Number(inner.property.value);
    }
    return false;
  });
  return found;
}

function mentions(node: object, holds: (node: Node) => boolean): boolean {
  if (isNode(node) && holds(node)) return true;
  return Object.values(node).some(
    (child) => typeof child === 'object' && child !== null && mentions(child, holds),
  );
}

/** The function that a traced template prints its marks with; `sign` is a character that the output does not hold otherwise. */
export function tracingVariables(sign: string): Record<string, unknown> {
  return {
    [MARK]: (label: unknown, side: unknown) =>
      label === null || label === undefined ? '' : `${sign}${side === 'end' ? '' : String(label)}${sign}`,
  };
}

/** Cuts the output of a traced template at its marks; the innermost enclosure counts. */
export function spansOf(output: string, sign: string): Span[] {
  const spans: Span[] = [];
  const open: Source[] = [];
  for (const [index, part] of output.split(sign).entries()) {
    if (index % 2 === 1) {
      if (part === '') open.pop();
      else open.push(sourceOf(part));
    } else if (part !== '') spans.push({ text: part, source: open.at(-1) ?? { from: 'template' } });
  }
  return spans;
}

function sourceOf(label: string): Source {
  if (label === 'tools' || label === 'generation prompt') return { from: label };
  return { from: 'message', index: Number(label) };
}
