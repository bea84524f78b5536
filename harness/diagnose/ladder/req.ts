import { printJson } from '../../json/print.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Explained, Sides, Step } from '../case.ts';
import { isAsIf, messagesOf, promptPair } from '../prompt.ts';
import { shown } from '../text.ts';
import { switchOf } from './env.ts';

/** REQ: the servers were not asked the same, or one does not read what it was asked. */
export const req: Step = (found) => differentRequests(found) ?? unread(found);

/** Fields that decide what comes back; names of models, ids and log-prob options are each dialect's own. */
const FIELDS = [
  'tools',
  'chat_template_kwargs',
  'temperature',
  'top_p',
  'max_tokens',
  'seed',
  'stop',
] as const;

function differentRequests({ field, request, other }: Sides): Explained | undefined {
  if (field !== 'prompt_token_ids' && field !== 'generation_token_ids') return undefined;
  const theirs = other?.request;
  if (!request || !theirs) return undefined;
  const names = FIELDS.filter((name) => spelled(request, name) !== spelled(theirs, name));
  const [mine, others] = [asked(request), asked(theirs)];
  const at = mine.findIndex((text, index) => text !== others[index]);
  const differ: string[] = [...names];
  if (at !== -1 || mine.length !== others.length) differ.push('messages');
  if (differ.length === 0) return undefined;
  return {
    layer: 'REQ',
    cause: 'requests-differ',
    says: `the two servers were not asked the same: ${differ.join(', ')}`,
    evidence: [
      ...names.flatMap((name) => [
        `${name} to the other: ${shown(spelled(theirs, name))}`,
        `${name} to the lane: ${shown(spelled(request, name))}`,
      ]),
      ...(at === -1
        ? []
        : [
            `message to the other: ${shown(others[at] ?? '')}`,
            `message to the lane: ${shown(mine[at] ?? '')}`,
          ]),
    ],
    side: 'neither',
  };
}

const spelled = (request: JsonObject, name: string): string => {
  const value = request.get(name);
  return value === undefined ? 'absent' : printJson(value);
};

/** What we say ourselves; the server's own earlier answers are judged in their own turn. */
const asked = (request: JsonObject): string[] =>
  messagesOf(request)
    .filter((message) => message.get('role') !== 'assistant')
    .map((message) => printJson([message.get('role') ?? null, message.get('content') ?? null]));

/** The prompt is the one of a request that lacks a field. */
function unread(found: Sides): Explained | undefined {
  const pair = promptPair(found);
  const { request } = found;
  if (!pair || !request) return undefined;
  const without = (key: string): boolean =>
    isAsIf(found, pair, (changed) => {
      changed.delete(key);
      return changed;
    });
  const flag = switchOf(request);
  if (flag !== undefined && without('chat_template_kwargs')) {
    return {
      layer: 'REQ',
      cause: 'thinking-flag-ignored',
      says: `enable_thinking: ${String(flag)} of the request does not reach the prompt`,
      evidence: ['the prompt is the one of the same request without chat_template_kwargs'],
    };
  }
  if (request.has('tools') && without('tools')) {
    return {
      layer: 'REQ',
      cause: 'tools-ignored',
      says: 'the tools of the request do not reach the prompt',
      evidence: ['the prompt is the one of the same request without tools'],
    };
  }
  return undefined;
}
