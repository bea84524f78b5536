import type { Json } from '../../json/value.ts';
import type { Teleprompter } from '../../teleprompter/speak.ts';
import type { Fault } from '../fault.ts';
import type { Parsers } from './parsers.ts';
import type { Renderer } from './prompt.ts';
import type { ChatRequest } from './request.ts';
import type { Told } from './told.ts';
import type { VllmVersion } from './version.ts';

/** A started chat server's parts. */
export interface Chat {
  version: VllmVersion;
  renderer: Renderer;
  parsers: Parsers;
  /** Served name. */
  model: string;
  maxModelLen: number;
  teleprompter: Teleprompter;
  fault: Fault | undefined;
  /** Whether log-probs name tokens `token_id:N` when a request does not say. */
  tokensAsIds: boolean;
  /** Token fields that this server puts on the message, after vLLM's own. */
  messageFields(request: ChatRequest, told: Told): Iterable<readonly [string, Json]>;
}

/** Whether log-probs name tokens by their ids. */
export const namesIds = (request: ChatRequest, chat: Chat): boolean =>
  request.return_tokens_as_token_ids ?? chat.tokensAsIds;
