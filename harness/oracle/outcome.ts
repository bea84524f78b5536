import type { Json } from '../json/value.ts';
import type { ParsedCall } from './tools.ts';

export interface ParseMode {
  /** False only when the request switched thinking off. */
  thinking: boolean;
  /** Whether the request offered tools; without them nothing is parsed for calls. */
  tools: boolean;
  /** The tools it offered, for parsers that read values by their schemas; without them those have no opinion on calls. */
  definitions?: readonly Json[] | undefined;
}

/** What the harness itself makes of a generation. */
export interface ParsedMessage {
  reasoning: string | null;
  content: string | null;
  calls: ParsedCall[];
}

/** What an engine's parsers make of a reply: a message, an answer with status 500, or nothing that the oracle knows. */
export type Outcome =
  | { outcome: 'message'; message: ParsedMessage }
  | { outcome: 'fails'; why: string }
  | { outcome: 'unknown'; why: string };
