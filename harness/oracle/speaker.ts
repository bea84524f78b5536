import type { DialectName } from '../domain.ts';
import { textVllm } from './detokenize.ts';
import { type Engine, engineOf, type Forms, formsOf, type ParserNames } from './engines.ts';
import type { Outcome, ParseMode } from './outcome.ts';
import { parseTrtllm } from './parse-trtllm.ts';
import { parseVllm } from './parse-vllm.ts';
import { type ChatTokenizer, STOP_IDS } from './tokenizer.ts';

export type { ParsedMessage } from './outcome.ts';

/** Which server gave an answer, and with which parsers. */
export interface Speaker {
  server: DialectName;
  parsers: ParserNames;
  /** The engine's own version, where the server told it. */
  version?: string | undefined;
}

/**
 * Text of generated ids as a server's detokenizer gives it: vLLM holds half a character back, TensorRT-LLM writes U+FFFD;
 * plain vLLM 0.32 leaves special tokens out.
 */
export function generatedText(tokenizer: ChatTokenizer, server: DialectName, ids: readonly number[]): string {
  const stopped = STOP_IDS.has(ids.at(-1) ?? -1);
  if (server === 'nemo-rl-trtllm' || server === 'trtllm-serve') {
    return tokenizer.decode(stopped ? ids.slice(0, -1) : ids);
  }
  return textVllm(tokenizer, ids, stopped, { skipSpecial: server === 'vllm-serve' });
}

/**
 * Text of generated ids as an engine hands it to its parsers. vLLM leaves special tokens out unless one of the parsers asks to
 * keep them: `qwen3` and `qwen3_coder` always do, `hermes` where tools are offered.
 */
export function textFor(
  tokenizer: ChatTokenizer,
  engine: Engine,
  ids: readonly number[],
  { tool, reasoning }: Forms,
  mode: ParseMode,
): string {
  const stopped = STOP_IDS.has(ids.at(-1) ?? -1);
  if (engine === 'trtllm') return tokenizer.decode(stopped ? ids.slice(0, -1) : ids);
  const kept = reasoning === 'qwen3' || tool === 'xml' || (tool === 'json' && mode.tools);
  return textVllm(tokenizer, ids, stopped, { skipSpecial: !kept });
}

/** What one engine's parsers make of a text. */
export function parseAs(
  tokenizer: ChatTokenizer,
  engine: Engine,
  forms: Forms,
  text: string,
  mode: ParseMode,
): Outcome {
  return engine === 'trtllm'
    ? parseTrtllm(forms, text, mode)
    : parseVllm(engine, forms, text, mode, tokenizer);
}

/** What a server's parsers make of generated ids, or of a text. */
export function parseReply(
  tokenizer: ChatTokenizer,
  { server, parsers, version }: Speaker,
  said: readonly number[] | string,
  mode: ParseMode,
): Outcome {
  const engine = engineOf(server, version);
  if (!engine) {
    const who = version === undefined ? server : `${server} ${version}`;
    return { outcome: 'unknown', why: `the oracle does not know how ${who} parses a reply` };
  }
  const forms = formsOf(engine, parsers);
  if (!forms) {
    const names = `${parsers.tool} and ${parsers.reasoning}`;
    return { outcome: 'unknown', why: `the oracle does not know the parsers ${names} of ${engine}` };
  }
  const text = typeof said === 'string' ? said : textFor(tokenizer, engine, said, forms, mode);
  return parseAs(tokenizer, engine, forms, text, mode);
}
