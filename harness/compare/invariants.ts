import type { DialectName } from '../domain.ts';
import type { Oracle } from '../oracle/oracle.ts';
import type { TranscriptTurn } from '../schemas/types.ts';
import { compareIds, type FieldDifference, firstDifference, quote } from './difference.ts';

/**
 * Contiguity: a spliced prompt begins with everything seen before
 * (`NVIDIA-NeMo/RL nemo_rl/environments/nemo_gym.py`, "Non-contiguous messages found!").
 */
export function checkContiguity(seen: readonly number[], turn: TranscriptTurn): FieldDifference | undefined {
  const prompt = turn.prompt_token_ids ?? [];
  const difference = compareIds(seen, prompt.slice(0, seen.length));
  return (
    difference && {
      ...difference,
      summary: `the prompt does not continue the ${seen.length} ids seen before: ${difference.summary}`,
    }
  );
}

/**
 * Every message sent since the last answer stands in the prompt: a real server lost one with status 200. Texts are compared
 * in NFC, which the tokenizer applies. `from` is the number of prompt ids that only repeat what was seen before.
 */
export function checkMessages(
  turn: TranscriptTurn,
  from: number,
  oracle: Oracle,
): FieldDifference | undefined {
  const text = oracle.tokenizer.decode((turn.prompt_token_ids ?? []).slice(from)).normalize('NFC');
  let at = 0;
  for (const [index, { role, content }] of turn.sent.entries()) {
    const found = text.indexOf(content.normalize('NFC'), at);
    if (found === -1) {
      return {
        index,
        expected: clip(content),
        actual: null,
        summary: `the ${role} message ${quote(clip(content))} is not in the prompt`,
      };
    }
    at = found + content.length;
  }
  return undefined;
}

const BLOCK = /<tool_call>.*?<\/tool_call>/gs;
const TAGS = /<\/?think>|<\/?tool_call>|\s+/g;
/** Plain vLLM 0.32 drops these from text, as tokens and spelled out alike. */
const SPECIAL = /<\|[a-z_]+\|>/g;

/**
 * Text conservation: what was generated appears in reasoning, content or a call. Tags and blanks do not count. Not asked for
 * is what a server drops by design: on all of them what stands after or between parsed calls, on TensorRT-LLM's what precedes
 * a generated opening of the reasoning, on plain vLLM special tokens.
 */
export function checkConservation(
  turn: TranscriptTurn,
  server: DialectName,
  oracle: Oracle,
): FieldDifference | undefined {
  const text = oracle.text(server, turn.generation_token_ids ?? []);
  const calls = turn.tool_calls ?? [];
  const blocks = calls.length > 0 ? text.indexOf('<tool_call>') : -1;
  const kept = blocks === -1 ? text : text.slice(0, blocks);
  const bare = (part: string): string =>
    (server === 'vllm-serve' ? part.replace(SPECIAL, '') : part).replace(TAGS, '');
  const expected = bare(kept);
  const actual = bare(`${turn.reasoning ?? ''}${turn.content ?? ''}`);
  const index = firstDifference(expected, actual);
  const opening = server === 'nemo-rl-trtllm' ? kept.indexOf('<think>') : -1;
  // A server that drops nothing shows what stands outside the blocks, in order.
  const whole = blocks === -1 ? expected : bare(text.replace(BLOCK, ''));
  if (index !== undefined && actual !== whole && (opening === -1 || bare(kept.slice(opening)) !== actual)) {
    return {
      index,
      expected: clip(expected.slice(index)),
      actual: clip(actual.slice(index)),
      summary: `generated text is lost or changed: ${quote(clip(expected.slice(index)))} was generated, ${quote(clip(actual.slice(index)))} stands in its place`,
    };
  }
  const opened = text.split('<tool_call>').length - 1;
  if (calls.length === 0 || opened > 0) return undefined;
  return {
    index: null,
    expected: 0,
    actual: calls.length,
    summary: `${calls.length} calls came, but none was generated`,
  };
}

const clip = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
