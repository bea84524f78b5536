import type { ChatTokenizer } from '../oracle/tokenizer.ts';

const START = 151644; // <|im_start|>
const END = 151645; // <|im_end|>

/** One `<|im_start|>…` part of a prompt. */
export interface Block {
  /** Indices into the prompt's ids: [from, to). */
  from: number;
  to: number;
  text: string;
  role: string;
  /** The turn it belongs to, 1-based: a user turn and the answer to it share one. */
  turn: number;
  /** The opened assistant turn at the end. */
  open: boolean;
}

/** The blocks of a prompt in the ChatML form that Qwen's templates write. What stands before the first one is not in any. */
export function blocksOf(ids: readonly number[], tokenizer: ChatTokenizer): Block[] {
  const starts = ids.flatMap((id, at) => (id === START ? [at] : []));
  const blocks: Block[] = [];
  let answers = 0;
  for (const [index, from] of starts.entries()) {
    const to = starts[index + 1] ?? ids.length;
    const part = ids.slice(from, to);
    const text = tokenizer.decode(part);
    const role = /^<\|im_start\|>([a-z]+)/.exec(text)?.[1] ?? 'unknown';
    const open = to === ids.length && !part.includes(END);
    blocks.push({ from, to, text, role, turn: answers + 1, open });
    if (role === 'assistant') answers++;
  }
  return blocks;
}

/** A block in words: `the tools`, `the user message of turn 2`, `the answer of turn 1`, `the generation prompt`. */
export function nameBlock({ role, text, turn, open }: Block, at = 0): string {
  if (open) return 'the generation prompt';
  if (role === 'system') return inTools(text, at) ? 'the tools' : 'the system message';
  if (role === 'assistant') return `the answer of turn ${turn}`;
  if (text.includes('<tool_response>')) return `the tool results of turn ${turn}`;
  return `the ${role} message of turn ${turn}`;
}

/** Whether a place in a system block lies in the list of tools; the text before names the tags once as well. */
function inTools(text: string, at: number): boolean {
  const tools = text.indexOf('<tools>\n');
  return tools !== -1 && at >= tools && at <= text.indexOf('\n</tools>') + '\n</tools>'.length;
}
