import { isObject, type Json, JsonNumber, type JsonObject } from '../../json/value.ts';
import type { Alternative } from '../../schemas/types.ts';
import { finite, integer, onlyChoice, usageOf } from '../read-chat.ts';
import { NEUTRAL } from '../vllm-serve.ts';
import { type Sampled, type TokenApi, tokenFields } from './api.ts';

/**
 * vLLM's `/inference/v1/generate` (`vllm/entrypoints/scale_out/token_in_token_out/`, 0.32.0), which answers 403 unless the
 * server was started with `--enable-scale-out`. Unknown sampling parameters are ignored there, so their names matter.
 */
export const vllmGenerate: TokenApi = {
  path: '/inference/v1/generate',

  request({ model, prompt, maxTokens, topLogprobs }) {
    const sampling: JsonObject = new Map<string, Json>([
      ['temperature', new JsonNumber('0.0')],
      ['top_p', new JsonNumber('1.0')],
      ...NEUTRAL.map(([name, value]) => [name, new JsonNumber(value)] as const),
      ['max_tokens', new JsonNumber(String(maxTokens))],
      ['logprobs', new JsonNumber(String(topLogprobs))],
      ['detokenize', false],
    ]);
    return new Map<string, Json>([
      ['model', model],
      ['token_ids', prompt.map((id) => new JsonNumber(String(id)))],
      ['sampling_params', sampling],
      ['return_token_ids', true],
    ]);
  },

  read(body) {
    const choice = onlyChoice(body);
    if (!isObject(body) || !choice) return 'the body has no `choices` with one entry';
    return tokenFields({
      prompt: body.get('prompt_token_ids'),
      ids: choice.get('token_ids'),
      sampled: entriesOf(choice.get('logprobs')),
      finish: choice.get('finish_reason'),
      usage: usageOf(body.get('usage')),
    });
  },
};

function entriesOf(logprobs: Json | undefined): Sampled[] | undefined {
  const content = isObject(logprobs) ? logprobs.get('content') : undefined;
  return Array.isArray(content) ? content.map(sampledOf) : undefined;
}

function sampledOf(entry: Json): Sampled {
  if (!isObject(entry)) return { id: undefined, logprob: null, alternatives: [] };
  const top = entry.get('top_logprobs');
  const alternatives = Array.isArray(top) ? top.filter(isObject).map(alternativeOf) : [];
  return { id: integer(entry.get('token_id')), logprob: finite(entry.get('logprob')), alternatives };
}

const alternativeOf = (entry: JsonObject): Alternative => ({
  token: `token_id:${integer(entry.get('token_id'))}`,
  logprob: finite(entry.get('logprob')),
});
