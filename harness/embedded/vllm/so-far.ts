import { callsIn, OPEN, type PartialCall, withoutPartial } from './hermes-stream.ts';
import type { Chat } from './started.ts';

/** A text that is still being written, as a stream shows it. */
export interface SoFar {
  reasoning: string;
  content: string;
  calls: readonly PartialCall[];
}

const THINK = ['<think>', '</think>', OPEN];

/**
 * What has been said up to now: a suffix that may become a tag is held back until the end. `tools` switches the `hermes`
 * stream parser on, which gives arguments in the model's own spelling.
 */
export function soFar(
  text: string,
  { version, renderer }: Chat,
  { thinking, tools, finished }: { thinking: boolean; tools: boolean; finished: boolean },
): SoFar {
  const known = finished ? text : withoutPartial(text, thinking ? THINK : [OPEN]);
  const split = version.split(known, thinking, renderer.tokenizer);
  const content = split.content ?? '';
  const reasoning = split.reasoning ?? '';
  if (!tools) return { reasoning, content, calls: [] };
  const at = content.indexOf(OPEN);
  if (at === -1) return { reasoning, content, calls: [] };
  return { reasoning, content: content.slice(0, at), calls: callsIn(content.slice(at)) };
}
