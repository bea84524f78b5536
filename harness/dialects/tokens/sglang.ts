import { isObject, type Json, JsonNumber, type JsonObject } from '../../json/value.ts';
import type { Alternative, Usage } from '../../schemas/types.ts';
import { finite, integer } from '../read-chat.ts';
import { NEUTRAL } from '../vllm-serve.ts';
import { type Sampled, type TokenApi, tokenFields } from './api.ts';

/**
 * SGLang's native `/generate` (`python/sglang/srt/managers/io_struct.py`, `tokenizer_manager.py`): ids in `output_ids`, the rest in
 * `meta_info`, where a log-prob entry is `[logprob, id, text]` and a finish reason an object. It serves one model, and has no
 * field for its name. Written to that source: it has not been run against the real server.
 */
export const sglang: TokenApi = {
  path: '/generate',

  request({ prompt, maxTokens, topLogprobs }) {
    const sampling: JsonObject = new Map<string, Json>([
      ['temperature', new JsonNumber('0.0')],
      ['top_p', new JsonNumber('1.0')],
      ...NEUTRAL.map(([name, value]) => [name, new JsonNumber(value)] as const),
      ['max_new_tokens', new JsonNumber(String(maxTokens))],
    ]);
    return new Map<string, Json>([
      ['input_ids', prompt.map((id) => new JsonNumber(String(id)))],
      ['sampling_params', sampling],
      ['return_logprob', true],
      ['top_logprobs_num', new JsonNumber(String(topLogprobs))],
      ['stream', false],
    ]);
  },

  read(body) {
    const meta = isObject(body) ? body.get('meta_info') : undefined;
    if (!isObject(body) || !isObject(meta)) return 'the body has no `meta_info`';
    const finish = meta.get('finish_reason');
    return tokenFields({
      ids: body.get('output_ids'),
      sampled: entriesOf(meta.get('output_token_logprobs'), meta.get('output_top_logprobs')),
      finish: isObject(finish) ? finish.get('type') : finish,
      usage: countsOf(meta),
    });
  },
};

/** The counts; a total SGLang does not give here. */
function countsOf(meta: JsonObject): Usage | undefined {
  const prompt = integer(meta.get('prompt_tokens'));
  const completion = integer(meta.get('completion_tokens'));
  if (prompt === undefined || completion === undefined) return undefined;
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

function entriesOf(sampled: Json | undefined, top: Json | undefined): Sampled[] | undefined {
  if (!Array.isArray(sampled)) return undefined;
  return sampled.map((entry, index) => {
    const [logprob, id] = Array.isArray(entry) ? entry : [];
    const others = Array.isArray(top) ? top[index] : undefined;
    const alternatives = Array.isArray(others) ? others.map(alternativeOf) : [];
    return { id: integer(id), logprob: finite(logprob), alternatives };
  });
}

function alternativeOf(entry: Json): Alternative {
  const [logprob, id] = Array.isArray(entry) ? entry : [];
  return { token: `token_id:${integer(id)}`, logprob: finite(logprob) };
}
