import { InvalidError } from '../errors.ts';
import { ChatTemplate } from '../oracle/template.ts';

/** A chat template that somebody brought. Throws {@link InvalidError} for one that is no template. */
export function chatTemplate(source: string, where: string): ChatTemplate {
  try {
    return new ChatTemplate(source);
  } catch (error) {
    throw new InvalidError('the chat template cannot be parsed', {
      where,
      hint: (error as Error).message,
      cause: error,
    });
  }
}
