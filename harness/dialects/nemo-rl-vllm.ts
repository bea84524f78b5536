import { type Json, JsonNumber, type JsonObject } from '../json/value.ts';
import type { Dialect, Reading } from './dialect.ts';
import { chatAnswer, commonFields, idList, numberList } from './read-chat.ts';

/** NeMo-RL's vLLM chat server (`NVIDIA-NeMo/RL nemo_rl/models/generation/vllm/vllm_worker_async.py`). */
export const nemoRlVllm: Dialect = {
  name: 'nemo-rl-vllm',
  path: '/v1/chat/completions',
  drops: ['text-after-calls'],

  request(turn) {
    const body: JsonObject = new Map<string, Json>([
      ['model', turn.model],
      ['messages', [...turn.messages]],
    ]);
    if (turn.tools) body.set('tools', turn.tools);
    if (turn.thinking !== undefined) {
      body.set('chat_template_kwargs', new Map([['enable_thinking', turn.thinking]]));
    }
    // Temperature and top_p must both be sent and equal the server's pair; top_k must not be sent or be -1.
    body.set('temperature', new JsonNumber('0.0'));
    body.set('top_p', new JsonNumber('1.0'));
    body.set('max_tokens', new JsonNumber(String(turn.maxTokens)));
    // Ids come only with log-probs, and `top_logprobs` must be a number then.
    body.set('logprobs', true);
    body.set('top_logprobs', new JsonNumber(String(turn.topLogprobs)));
    return body;
  },

  read(status, text) {
    const answer = chatAnswer(status, text);
    if (!answer.ok) return { reading: answer.reading };
    const reading: Reading = commonFields(answer);
    const prompt = idList(answer.message.get('prompt_token_ids'));
    const generation = idList(answer.message.get('generation_token_ids'));
    const logprobs = numberList(answer.message.get('generation_log_probs'));
    if (prompt) reading.prompt_token_ids = prompt;
    if (generation) reading.generation_token_ids = generation;
    if (logprobs) reading.logprobs = logprobs;
    return { reading, message: answer.message };
  },

  echo(message, history) {
    const out: JsonObject = new Map<string, Json>([['role', 'assistant']]);
    const copy = (from: string, to = from): void => {
      const value = message.get(from);
      if (value !== undefined) out.set(to, value);
    };
    copy('content');
    // The servers read different names; sending both keeps one history for both.
    copy('reasoning');
    copy('reasoning', 'reasoning_content');
    copy('tool_calls');
    if (history === 'spliced') {
      copy('prompt_token_ids');
      copy('generation_token_ids');
      copy('generation_log_probs');
    }
    return out;
  },
};
