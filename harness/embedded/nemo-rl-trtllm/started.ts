import type { JsonObject } from '../../json/value.ts';
import type { ChatTemplate } from '../../oracle/template.ts';
import type { ChatTokenizer } from '../../oracle/tokenizer.ts';
import type { TrtllmToolParser } from '../../oracle/tools-trtllm.ts';
import type { Teleprompter } from '../../teleprompter/speak.ts';
import type { Fault } from '../fault.ts';
import type { Gate } from './gate.ts';
import type { ReasoningParser } from './parsers.ts';

/** A started chat server's parts. */
export interface Chat {
  tokenizer: ChatTokenizer;
  /** The tokenizer's own chat template. */
  template: ChatTemplate;
  /** Template variables under a request's own: `enable_thinking` is true unless the server was started otherwise. */
  templateKwargs: JsonObject;
  toolParser: TrtllmToolParser;
  /** Null: the whole text is the answer. */
  reasoningParser: ReasoningParser | null;
  gate: Gate;
  /** Ids that end a generation and are trimmed from its end. */
  stopIds: ReadonlySet<number>;
  /** Model name as answers carry it. */
  model: string;
  maxSeqLen: number;
  maxNumTokens: number;
  teleprompter: Teleprompter;
  fault: Fault | undefined;
}
