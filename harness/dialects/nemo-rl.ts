import type { JsonObject } from '../json/value.ts';
import { type ChatDialect, chatDialect, type Reading } from './dialect.ts';
import { chatAnswer, commonFields, idList, numberList } from './read-chat.ts';
import { chatRequest, spokenMessage } from './write-chat.ts';

/**
 * NeMo-RL's two chat servers are asked with the same bytes, so that they do the same work
 * (`NVIDIA-NeMo/RL nemo_rl/models/generation/vllm/vllm_worker_async.py`, `…/trtllm/trtllm_http_server.py`): vLLM's demands
 * temperature and top_p and gives ids only with log-probs; TRT-LLM's reads fewer fields and ignores the rest. top_k is left
 * out: the value that one server demands the other refuses.
 */
function nemoRl(name: 'nemo-rl-vllm' | 'nemo-rl-trtllm'): ChatDialect {
  return chatDialect({
    name,
    histories: ['spliced', 'rerendered'],
    path: '/v1/chat/completions',
    request: chatRequest,

    read(status, text) {
      const answer = chatAnswer(status, text);
      if (!answer.ok) return { reading: answer.reading };
      const { message } = answer;
      const reading: Reading = commonFields(answer);
      const prompt = idList(message.get('prompt_token_ids'));
      const generation = idList(message.get('generation_token_ids'));
      const logprobs = numberList(message.get('generation_log_probs'));
      if (prompt) reading.prompt_token_ids = prompt;
      if (generation) reading.generation_token_ids = generation;
      if (logprobs) reading.logprobs = logprobs;
      return { reading, message };
    },

    echo(message, history) {
      const out: JsonObject = spokenMessage(message);
      if (history === 'rerendered') return out;
      for (const key of ['prompt_token_ids', 'generation_token_ids', 'generation_log_probs']) {
        const value = message.get(key);
        if (value !== undefined) out.set(key, value);
      }
      return out;
    },
  });
}

export const nemoRlVllm = nemoRl('nemo-rl-vllm');
export const nemoRlTrtllm = nemoRl('nemo-rl-trtllm');
