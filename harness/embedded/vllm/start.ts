import { ChatTemplate } from '../../oracle/template.ts';
import { loadTokenizer } from '../../oracle/tokenizer.ts';
import { spokenBy } from '../../teleprompter/codebook.ts';
import type { EmbeddedOptions } from '../options.ts';
import { parsersOf } from './parsers.ts';
import type { Chat } from './started.ts';
import type { VllmVersion } from './version.ts';

/** The parts of a chat server on one version of vLLM. Throws {@link InvalidError} for parsers that are not emulated. */
export function startedChat(
  options: EmbeddedOptions,
  version: VllmVersion,
  own: Pick<Chat, 'tokensAsIds' | 'messageFields'>,
): Chat {
  const { model, maxModelLen, lag, fault, defaultChatTemplateKwargs: defaultKwargs } = options;
  const tokenizer = loadTokenizer();
  const template = new ChatTemplate(options.chatTemplate ?? tokenizer.chatTemplate);
  return {
    version,
    renderer: { tokenizer, template, defaultKwargs, version, model },
    parsers: parsersOf(options.parsers, version),
    model,
    maxModelLen,
    teleprompter: { lag, spokenBy: spokenBy(options.codebook) },
    fault,
    ...own,
  };
}
