import { type TokenApi, tokenAnswer } from '../dialects/tokens/api.ts';
import { trtllmCompletions, vllmCompletions } from '../dialects/tokens/completions.ts';
import { sglang } from '../dialects/tokens/sglang.ts';
import { vllmGenerate } from '../dialects/tokens/vllm-generate.ts';
import { isObject } from '../json/value.ts';
import type { LaneTokens } from '../schemas/types.ts';
import { errorShape } from './error-shape.ts';
import { type Fact, measured } from './fact.ts';
import type { Line } from './heard.ts';

type ApiName = LaneTokens['api'];

const APIS: readonly (readonly [ApiName, TokenApi])[] = [
  ['vllm-generate', vllmGenerate],
  ['vllm-completions', vllmCompletions],
  ['sglang', sglang],
  ['trtllm-completions', trtllmCompletions],
];

/** Ids of any small vocabulary. */
const PROMPT = [100, 101, 102];

/** Which of the ways that a lane of the kind `tokens` can take answer ids with ids. */
export async function askTokenRoutes(
  line: Line,
  model: string | undefined,
): Promise<{ working: ApiName[]; fact: Fact }> {
  const working: ApiName[] = [];
  const lines: string[] = [];
  for (const [name, api] of APIS) {
    const body = api.request({ model: model ?? '', prompt: PROMPT, maxTokens: 1, topLogprobs: 0 });
    if (model === undefined && isObject(body)) body.delete('model');
    const heard = await line.post(api.path, body);
    const answer = heard.kind === 'answer' ? tokenAnswer(api, heard.status, heard.text) : undefined;
    const gives = answer?.ok === true && (answer.fields.generation_token_ids?.length ?? 0) > 0;
    if (gives) working.push(name);
    lines.push(
      `${name} (${api.path}): ${gives ? 'gives ids' : answer?.ok ? 'gives none' : errorShape(heard)}`,
    );
  }
  return { working, fact: measured('ids in, ids out', ...lines) };
}
