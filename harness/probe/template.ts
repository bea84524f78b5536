import type { DialectName } from '../domain.ts';
import type { JsonObject } from '../json/value.ts';
import { Oracle } from '../oracle/oracle.ts';
import { sameIds } from '../oracle/same-ids.ts';
import { ChatTemplate } from '../oracle/template.ts';
import { assumed, type Fact, measured, unknown } from './fact.ts';

/** A chat template that a lane of the project brings. */
export interface OwnTemplate {
  path: string;
  source: string;
}

/** Which template made the prompt: the tokenizer's (`path` undefined), one of the project's, or none of them. */
export interface Rendered {
  path: string | undefined;
  fact: Fact;
}

/** Compares the prompt's ids with the harness's own renderings of the same request. */
export function templateOfPrompt(
  server: DialectName,
  body: JsonObject,
  prompt: readonly number[] | undefined,
  own: readonly OwnTemplate[],
): Rendered {
  if (!prompt) return { path: undefined, fact: unknown('chat template', 'no prompt ids to compare with') };
  const common = new Oracle();
  const same = (oracle: Oracle): boolean => sameIds(oracle.promptIds(server, body), prompt);
  if (same(common)) {
    const line = 'prompt ids equal our own rendering with the Qwen3 tokenizer and its own template';
    return { path: undefined, fact: measured('chat template', line) };
  }
  const found = own.find(({ source }) => {
    const template = parsed(source);
    return template !== undefined && same(new Oracle(common.tokenizer, template));
  });
  if (!found) {
    const why =
      'yet prompt ids differ from our own rendering: another tokenizer, template or default variables';
    return { path: undefined, fact: assumed('chat template', "the tokenizer's own", why) };
  }
  const line = `prompt ids equal our own rendering with ${found.path}`;
  return { path: found.path, fact: measured('chat template', line) };
}

/** A file that is no template cannot have made the prompt. */
function parsed(source: string): ChatTemplate | undefined {
  try {
    return new ChatTemplate(source);
  } catch {
    return undefined;
  }
}
