import type { Assertion } from '../compare/outcome.ts';
import type { Finding, TranscriptTurn } from '../schemas/types.ts';

export type Verdict = Finding['verdict'];

/**
 * The layer of a finding, as far as the field alone tells. Where prompts differ, template, tokenizer and splice are not told
 * apart here, and the verdict stays UNKNOWN.
 */
export function verdictOf({ field }: Assertion, turn: TranscriptTurn | undefined): Verdict {
  switch (field) {
    case 'http_status':
      return turn?.outcome === 'no_answer' ? 'LIFE' : 'ERR';
    case 'reasoning':
      return 'REAS';
    case 'tool_calls':
      return 'TOOL';
    case 'finish_reason':
    case 'usage':
    case 'logprobs':
      return 'SER';
    default:
      return 'UNKNOWN';
  }
}
