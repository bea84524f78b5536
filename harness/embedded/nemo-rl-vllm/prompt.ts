import { splicePrompt } from '../../oracle/splice.ts';
import { exception } from '../refusal.ts';
import { type Prompt, type Renderer, rendering } from '../vllm/prompt.ts';
import type { NemoRequest } from './request.ts';

/** Ids of all messages. `checked` sees them before the second render, which only happens when ids are carried. */
export function buildPrompt(
  request: NemoRequest,
  renderer: Renderer,
  checked: (template: readonly number[]) => void,
): Prompt {
  const { conversation, ids, all } = rendering(request, renderer);
  const template = all();
  checked(template);
  const prefix = request.required_prefix_token_ids ?? undefined;
  if (!prefix) return { ids: template, template, templatePrefix: [], prefix };
  const last = request.messages.findLastIndex((message) => message.get('role') === 'assistant');
  const upTo = last === -1 ? conversation : conversation.slice(0, last + 1);
  const templatePrefix = ids(upTo, false);
  const splice = splicePrompt({ prefix, templatePrefix, template });
  if (!splice) throw exception('the end-of-turn id at which the prefix ends is not in the template');
  return { ids: splice.ids, template, templatePrefix, prefix };
}
