import { ENGINES, type Engine, type Forms, formsOf, hasParsers, type ParserNames } from './engines.ts';
import type { Outcome, ParsedMessage, ParseMode } from './outcome.ts';
import { parseAs, textFor } from './speaker.ts';
import type { ChatTokenizer } from './tokenizer.ts';

/**
 * Modules of the oracle that the embedded servers run too: agreement of an embedded lane with an opinion that rests on one is
 * no independent evidence. What makes an opinion worth something against a real lane is that these modules give the answers of
 * the engines' own parsers (`python/parsers.vectors.json`).
 */
export const SHARED_WITH_EMULATION: Readonly<Record<Engine, readonly string[]>> = {
  'vllm-0.25.1': ['reasoning', 'tools', 'qwen3-coder-vllm'],
  'vllm-0.32': ['reasoning', 'vllm-0.32', 'tools'],
  trtllm: ['reasoning-trtllm', 'tools-trtllm'],
};

/** What the answers of an engine were checked against. */
export const CHECKED_AGAINST: Readonly<Record<Engine, string>> = {
  'vllm-0.25.1':
    "vLLM 0.25.1's parsers, run from its wheel without installing it, and recordings of NeMo-RL's server",
  'vllm-0.32': "vLLM 0.32.0's parsers (CPU build), and recordings of the real server",
  trtllm:
    "the one-shot functions of TensorRT-LLM's published parsers near 1.3.0rc21 on stand-ins for the rest, and recordings made so; never an installed TensorRT-LLM",
};

export interface Asked extends ParseMode {
  /** Parser names of any engine: those of the others follow from what they read. */
  parsers: ParserNames;
}

/** What one engine would make of a reply. */
export type Opinion = Outcome & {
  engine: Engine;
  /** Whether the embedded server of this engine runs the same code for these parsers. */
  sharedWithEmulation: boolean;
};

/** What each engine makes of generated ids or of a text, in the order of {@link ENGINES}. */
export function opinionsOn(
  tokenizer: ChatTokenizer,
  said: readonly number[] | string,
  { parsers, ...mode }: Asked,
): Opinion[] {
  const forms = ENGINES.map((engine) => formsOf(engine, parsers)).find((found) => found !== undefined);
  return ENGINES.map((engine) => {
    if (!forms || !hasParsers(engine, forms))
      return { engine, sharedWithEmulation: false, ...unknown(engine) };
    return { engine, sharedWithEmulation: isShared(engine, forms), ...parsed(engine, forms) };
  });

  function parsed(engine: Engine, known: Forms): Outcome {
    const text = typeof said === 'string' ? said : textFor(tokenizer, engine, said, known, mode);
    return parseAs(tokenizer, engine, known, text, mode);
  }

  function unknown(engine: Engine): Outcome {
    const names = `${parsers.tool} and ${parsers.reasoning}`;
    return { outcome: 'unknown', why: `${engine} has no parsers like ${names} that the oracle knows` };
  }
}

/** Which engines a message could have come from. */
export function saidBy(message: ParsedMessage, opinions: readonly Opinion[]): Engine[] {
  const spelled = JSON.stringify(ordered(message));
  return opinions
    .filter(
      (opinion) => opinion.outcome === 'message' && JSON.stringify(ordered(opinion.message)) === spelled,
    )
    .map(({ engine }) => engine);
}

const ordered = ({ reasoning, content, calls }: ParsedMessage): unknown => [
  reasoning,
  content,
  calls.map((call) => [call.name, call.arguments]),
];

/** The emulation of vLLM has no `deepseek_r1` and no `llama3_json`, that of 0.32 no `qwen3_coder` either. */
function isShared(engine: Engine, { tool, reasoning }: Forms): boolean {
  if (engine === 'trtllm') return true;
  if (reasoning === 'deepseek_r1' || tool === 'llama') return false;
  return engine === 'vllm-0.25.1' || tool !== 'xml';
}
