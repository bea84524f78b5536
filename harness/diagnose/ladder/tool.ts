import type { Explained, Message, Sides, Step } from '../case.ts';
import { isStrictJson, jsonDifference, readJson } from '../json-text.ts';
import { shown } from '../text.ts';
import { argumentsExplained } from './arguments.ts';

/** TOOL: calls and the text beside them were parsed otherwise. */
export const tool: Step = (found) => {
  const { good, bad } = found.said;
  if (!['content', 'tool_calls', 'conservation', 'expect'].includes(found.field)) return undefined;
  if (!good || !bad) return undefined;
  for (const step of [badBlock, fewer, more, otherArguments, beside]) {
    const explained = step(found, good, bad);
    if (explained) return { layer: 'TOOL', ...explained };
  }
  return undefined;
};

type Part = (found: Sides, good: Message, bad: Message) => Omit<Explained, 'layer'> | undefined;

const count = ({ calls }: Message): number => (calls ?? []).length;
const called = ({ calls }: Message): string => (calls ?? []).map(({ name }) => name).join(', ');
const BLOCK = /<tool_call>(.*?)(?:<\/tool_call>|$)/gs;

/** The generated blocks of the turn, as text. */
function generatedBlocks({ oracle, turn, speaker }: Sides): string[] {
  const text = oracle.text(speaker.server, turn?.generation_token_ids ?? []);
  return [...text.matchAll(BLOCK)].map((match) => match[1] ?? '');
}

/** One block is no call: one parser skips it, another then gives no call at all. */
const badBlock: Part = (found, good, bad) => {
  if (count(good) === count(bad) || (count(good) > 0 && count(bad) > 0)) return undefined;
  const blocks = generatedBlocks(found);
  const at = blocks.findIndex((text) => !text.includes('<function=') && readJson(text.trim()) === undefined);
  if (at === -1 || blocks.length < 2) return undefined;
  return {
    cause: 'bad-block-among-good',
    says:
      count(bad) === 0
        ? `block ${at + 1} of ${blocks.length} is no call, and so none of the others counts`
        : `block ${at + 1} of ${blocks.length} is no call and is skipped; the others count`,
    evidence: [
      `block ${at + 1}: ${shown(blocks[at] ?? '')}`,
      `calls: ${called(good) || 'none'} against ${called(bad) || 'none'}`,
    ],
  };
};

type Call = NonNullable<Message['calls']>[number];

/** The same name, and arguments of the same value. */
const isSameCall = (call: Call, other: Call | undefined): boolean =>
  call.name === other?.name &&
  (call.arguments === other.arguments || jsonDifference(other.arguments, call.arguments)?.spelling === true);

/** Whether a text spells every call's name as JSON does, beside arguments. */
const spells = (text: string, { calls }: Message): boolean =>
  text.includes('"arguments"') && (calls ?? []).every(({ name }) => text.includes(JSON.stringify(name)));

const fewer: Part = (found, good, bad) => {
  if (count(bad) >= count(good)) return undefined;
  const evidence = [`calls: ${called(good)} against ${called(bad) || 'none'}`];
  if (count(bad) > 0) {
    const says = `${count(bad)} of ${count(good)} calls are returned`;
    // Only where those returned are the first ones, as they were generated, are the later ones lost.
    const first = (bad.calls ?? []).every((call, index) => isSameCall(call, good.calls?.[index]));
    return first ? { cause: 'later-calls-lost', says, evidence } : { says, evidence };
  }
  const content = bad.content ?? '';
  const form = /<function=/.test(content) ? 'XML' : /<tool_call>/.test(content) ? 'JSON' : undefined;
  if (form === undefined && content !== (good.content ?? '') && spells(content, good)) {
    return {
      cause: 'call-left-as-text',
      says: 'the calls stay in the content as text, without tags',
      evidence: [...evidence, `content: ${shown(content)}`],
    };
  }
  if (form === undefined) {
    return {
      cause: 'calls-dropped',
      says: 'calls vanish, and the content does not hold them either',
      evidence,
    };
  }
  const parser = found.speaker.parsers.tool;
  const reads = parser.includes('coder') ? 'XML' : 'JSON';
  evidence.push(`content: ${shown(content.slice(content.search(/<tool_call>|<function=/)))}`);
  if (form !== reads) {
    return {
      cause: 'parser-mismatch',
      says: `the calls are written as ${form}, which the parser ${parser} does not read`,
      evidence,
    };
  }
  return { cause: 'call-left-as-text', says: 'the calls stay in the content as text', evidence };
};

const more: Part = (found, good, bad) => {
  if (count(bad) <= count(good)) return undefined;
  const blocks = generatedBlocks(found);
  const evidence = [
    `calls: ${called(good) || 'none'} against ${called(bad)}`,
    `generated blocks: ${blocks.length}`,
  ];
  if (count(bad) > blocks.length) {
    return { cause: 'call-invented', says: 'a call is returned that was not generated', evidence };
  }
  return { says: `${count(bad)} calls are returned instead of ${count(good)}`, evidence };
};

/** Arguments that differ in value. Where only the text differs, serialization explains it. */
const otherArguments: Part = (found, good, bad) => {
  const at = (good.calls ?? []).findIndex((call, index) => {
    const other = bad.calls?.[index];
    return call.name !== other?.name || call.arguments !== other.arguments;
  });
  const [mine, theirs] = [good.calls?.[at], bad.calls?.[at]];
  if (!mine || !theirs) return undefined;
  if (mine.name !== theirs.name) {
    return { says: `call ${at + 1} is ${theirs.name} instead of ${mine.name}` };
  }
  if (!isStrictJson(theirs.arguments)) return undefined;
  const difference = jsonDifference(mine.arguments, theirs.arguments);
  if (!difference || difference.spelling) return undefined;
  return argumentsExplained(found, at, [mine, theirs], difference);
};

/** Text before, between or behind calls. */
const beside: Part = (found, good, bad) => {
  const { names } = found;
  if (count(bad) === 0) return undefined;
  const [left, right] = [good.content ?? '', bad.content ?? ''];
  if (found.field === 'expect') return expectedText(found, right);
  if (left === right) return undefined;
  if (left.trim() === right.trim() && right.trim() !== '') {
    return {
      cause: 'content-blanks-beside-call',
      says: `blanks around the content beside a call are ${right.length < left.length ? 'stripped' : 'kept'}`,
      evidence: [`${names.good}: ${shown(left)}`, `${names.bad}: ${shown(right)}`],
    };
  }
  if (
    left.trim() !== '' &&
    right.length < left.length &&
    (right.trim() === '' || left.includes(right.trim()))
  ) {
    return {
      cause: 'content-dropped-beside-call',
      says: 'text beside a call is missing from the content',
      evidence: [`${names.good}: ${shown(left)}`, `${names.bad}: ${shown(right)}`],
    };
  }
  return undefined;
};

/** A text that the scenario expects was generated, stands outside the calls, and is in no field. */
function expectedText(
  { oracle, speaker, turn, difference }: Sides,
  content: string,
): Omit<Explained, 'layer'> | undefined {
  const wanted = difference.expected;
  const parts =
    typeof wanted === 'object' &&
    wanted !== null &&
    'content_includes' in wanted &&
    Array.isArray(wanted.content_includes)
      ? wanted.content_includes.filter((part) => typeof part === 'string')
      : [];
  const text = oracle.text(speaker.server, turn?.generation_token_ids ?? []);
  const lost = parts.find((part) => text.replace(BLOCK, '').includes(part) && !content.includes(part));
  if (lost === undefined) return undefined;
  return {
    cause: 'content-dropped-beside-call',
    says: `text beside a call is missing from the content: ${shown(lost)}`,
    evidence: [`generated: ${shown(text)}`, `content: ${shown(content)}`],
    side: 'lane',
  };
}
