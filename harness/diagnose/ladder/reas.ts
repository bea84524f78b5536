import type { Explained, Message, Sides, Step } from '../case.ts';
import { shown } from '../text.ts';

const MARKERS = ['</think>', '<think>'];

/** REAS: the text is whole, but reasoning and the rest were split otherwise. */
export const reas: Step = (found) => {
  const { good, bad } = found.said;
  if (!['content', 'reasoning', 'tool_calls', 'conservation', 'expect'].includes(found.field))
    return undefined;
  if (!good || !bad || misnamed(found)) return undefined;
  const texts = [good.reasoning ?? '', good.content ?? '', bad.reasoning ?? '', bad.content ?? ''] as const;
  for (const step of [lostCall, inContent, inReasoning, deleted, trimmed, moved]) {
    const explained = step(found, good, bad, texts);
    if (explained) return { layer: 'REAS', ...explained };
  }
  return undefined;
};

type Texts = readonly [goodReasoning: string, goodContent: string, badReasoning: string, badContent: string];
type Part = (found: Sides, good: Message, bad: Message, texts: Texts) => Omit<Explained, 'layer'> | undefined;

/** Another name for the reasoning is a matter of the answer's fields, not of the parser. */
const misnamed = ({ difference }: Sides): boolean => difference.summary.startsWith('reasoning came as');

const lostCall: Part = (_found, good, bad, [goodReasoning, , badReasoning]) => {
  const lost = badReasoning.includes('<tool_call>') && !goodReasoning.includes('<tool_call>');
  if (!lost || (bad.calls ?? []).length >= Math.max(1, (good.calls ?? []).length)) return undefined;
  return {
    cause: 'call-in-reasoning',
    says: 'a generated call ends up in the reasoning and is not parsed',
    evidence: [`reasoning: ${shown(badReasoning.slice(badReasoning.indexOf('<tool_call>')))}`],
  };
};

const inContent: Part = (_found, good, bad, [goodReasoning, goodContent, badReasoning, badContent]) => {
  if (
    goodReasoning.trim() === '' ||
    badReasoning.trim() !== '' ||
    !badContent.includes(goodReasoning.trim())
  ) {
    return undefined;
  }
  const tags = MARKERS.filter((tag) => badContent.includes(tag) && !goodContent.includes(tag));
  return {
    cause: 'reasoning-in-content',
    says: `the reasoning stays in the content${tags.length > 0 ? ', tags and all' : ''}`,
    evidence: [
      `content: ${shown(bad.content ?? '')}`,
      `reasoning of the other: ${shown(good.reasoning ?? '')}`,
    ],
  };
};

const inReasoning: Part = (
  { turn, oracle },
  _good,
  _bad,
  [goodReasoning, goodContent, badReasoning, badContent],
) => {
  const content = goodContent.trim();
  if (content === '' || goodReasoning.trim() !== '' || badContent.trim() !== '') return undefined;
  if (!badReasoning.includes(content)) return undefined;
  const tail = oracle.tokenizer.decode((turn?.prompt_token_ids ?? []).slice(-8));
  const opened = tail.lastIndexOf('<think>') > tail.lastIndexOf('</think>');
  return {
    cause: 'reasoning-start-assumed',
    says: 'the whole reply is taken for reasoning',
    evidence: [
      `the prompt ends with ${shown(tail)}: reasoning is ${opened ? 'open' : 'not open'}`,
      `reasoning: ${shown(badReasoning)}`,
    ],
  };
};

const deleted: Part = ({ names }, good, bad) => {
  for (const field of ['content', 'reasoning'] as const) {
    const [left, right] = [good[field] ?? '', bad[field] ?? ''];
    const tag = MARKERS.find((marker) => left !== right && left.replaceAll(marker, '') === right);
    if (tag) {
      return {
        cause: 'marker-deleted',
        says: `${tag} is deleted from ${field}`,
        evidence: [`${names.good}: ${shown(left)}`, `${names.bad}: ${shown(right)}`],
      };
    }
  }
  const calls = (good.calls ?? []).map(({ arguments: text }) => text);
  const theirs = (bad.calls ?? []).map(({ arguments: text }) => text);
  const at = calls.findIndex((text, index) => text !== theirs[index]);
  const [left, right] = [calls[at] ?? '', theirs[at] ?? ''];
  const tag = MARKERS.find(
    (marker) => right !== '' && left !== right && left.replaceAll(marker, '') === right,
  );
  if (!tag) return undefined;
  return {
    cause: 'marker-deleted',
    says: `${tag} is deleted from the arguments of call ${at + 1}`,
    evidence: [`${names.good}: ${shown(left)}`, `${names.bad}: ${shown(right)}`],
  };
};

/** Blanks between reasoning and content; beside a call the tool parser decides over them. */
const trimmed: Part = ({ names }, good, bad, [goodReasoning, goodContent, badReasoning, badContent]) => {
  if (goodReasoning !== badReasoning && goodReasoning.trim() === badReasoning.trim() && badReasoning !== '') {
    return {
      says: 'blanks around the reasoning are treated otherwise',
      evidence: [`${names.good}: ${shown(goodReasoning)}`, `${names.bad}: ${shown(badReasoning)}`],
    };
  }
  if ((good.calls ?? []).length > 0 || (bad.calls ?? []).length > 0) return undefined;
  if (goodContent === badContent || goodContent.trim() !== badContent.trim() || badContent === '')
    return undefined;
  const less = badContent.length < goodContent.length;
  return {
    cause: 'content-stripped',
    says: `blanks around the content are ${less ? 'stripped' : 'kept'}`,
    evidence: [`${names.good}: ${shown(goodContent)}`, `${names.bad}: ${shown(badContent)}`],
  };
};

/** All of the text is there in its order, but reasoning ends elsewhere. */
const moved: Part = ({ names }, _good, _bad, [goodReasoning, goodContent, badReasoning, badContent]) => {
  const bare = (text: string): string => text.replace(/<\/?think>|\s+/g, '');
  if (bare(goodReasoning) === bare(badReasoning)) return undefined;
  if (bare(goodReasoning + goodContent) !== bare(badReasoning + badContent)) return undefined;
  return {
    says: 'the text is whole, but reasoning and content are split at another place',
    evidence: [
      `reasoning, ${names.good}: ${shown(goodReasoning)}`,
      `reasoning, ${names.bad}: ${shown(badReasoning)}`,
    ],
  };
};
