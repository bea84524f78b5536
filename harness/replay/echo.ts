import type { Json, JsonObject } from '../json/value.ts';
import type { ScenarioEcho } from '../schemas/types.ts';

const IDS = ['prompt_token_ids', 'generation_token_ids', 'generation_log_probs'];
const REASONING = ['reasoning', 'reasoning_content'];

/**
 * The assistant message as a scenario sends it back. With ids on the message neither server looks at its text, so `content`
 * and `reasoning` change the next prompt only when history is rendered again; without ids on the last answer, what stands
 * between it and an older one that has them is lost (`NVIDIA-NeMo/RL nemo_rl/models/generation/openai_server_utils.py`).
 * `last` takes the ids off the messages before: one carrier is enough, and the prompt stays the same.
 */
export function sendBack(
  answer: JsonObject,
  echo: ScenarioEcho | undefined,
  history: JsonObject[],
): JsonObject {
  if (!echo) return answer;
  if (echo.ids === 'last')
    history.splice(0, history.length, ...history.map((message) => without(message, IDS)));
  let out = new Map<string, Json>(answer);
  const content = out.get('content');
  if (echo.content === 'stripped' && typeof content === 'string') out.set('content', content.trim());
  if (echo.reasoning === 'left_out') out = without(out, REASONING);
  if (echo.ids === 'none') out = without(out, IDS);
  return out;
}

const without = (message: JsonObject, keys: readonly string[]): Map<string, Json> =>
  new Map([...message].filter(([key]) => !keys.includes(key)));
