import type { History } from '../../domain.ts';
import type { Oracle } from '../../oracle/oracle.ts';
import type { Speaker } from '../../oracle/speaker.ts';
import type { Answer, ChatDialect, Dialect, Reading, TurnRequest } from '../dialect.ts';
import { messageFields } from '../read-chat.ts';
import { type TokenApi, tokenAnswer } from './api.ts';
import { spelledMessage } from './spell.ts';

export interface TokensParts {
  api: TokenApi;
  /** The chat server that the oracle stands in for: its prompts, its splice, its parsers, its message. */
  projection: ChatDialect;
  parsers: Speaker['parsers'];
  histories: readonly History[];
  oracle: Oracle;
}

/**
 * A server that takes ids and gives ids. The oracle makes the prompt that `projection` would make of the same conversation, and
 * reads the generated ids as it would; both are the oracle's own word. From the server come generated ids, log-probs, finish
 * reason, usage, and an echo of the prompt where it sends one.
 */
export function tokensDialect({ api, projection, parsers, histories, oracle }: TokensParts): Dialect {
  const speaker: Speaker = { server: projection.name, parsers };

  /** The message that the oracle makes of what the server generated. */
  function answered(turn: TurnRequest, prompt: readonly number[], status: number, text: string): Answer {
    const answer = tokenAnswer(api, status, text);
    if (!answer.ok) return { reading: answer.reading };
    const reading: Reading = {
      outcome: 'answered',
      http_status: status,
      prompt_token_ids: [...prompt],
      ...answer.fields,
    };
    const generation = reading.generation_token_ids;
    if (!generation) return { reading };
    const mode = {
      thinking: turn.thinking !== false,
      tools: turn.tools !== undefined,
      definitions: turn.tools,
    };
    const parsed = oracle.parse(speaker, generation, mode);
    if (!parsed) {
      // The ids are the server's and count; a message there is none.
      const error = `our own oracle cannot parse this reply: ${projection.name}'s parsers fail on it`;
      return { reading: { ...reading, error } };
    }
    const message = spelledMessage(projection.name, parsed, { prompt, generation });
    Object.assign(reading, messageFields(message));
    const finish = reading.engine_finish_reason;
    // Every kind that the oracle stands in for says so of calls, even where the limit cut the reply behind them.
    if (finish !== undefined)
      reading.finish_reason = finish && parsed.calls.length > 0 ? 'tool_calls' : finish;
    return { reading, message };
  }

  return {
    name: 'tokens',
    projection: projection.name,
    histories,
    path: api.path,
    ask(turn) {
      const prompt = promptOf(oracle, projection, turn);
      if (typeof prompt === 'string') return prompt;
      const { model, maxTokens, topLogprobs } = turn;
      return {
        body: api.request({ model, prompt, maxTokens, topLogprobs }),
        read: (status, text) => answered(turn, prompt, status, text),
      };
    },
    echo: (message, history) => projection.echo(message, history),
  };
}

/** Prompt ids as the projected server makes them; a text says why it would fail instead. */
function promptOf(oracle: Oracle, { name, request }: ChatDialect, turn: TurnRequest): number[] | string {
  const why = 'our own oracle cannot make this prompt';
  try {
    return oracle.promptIds(name, request(turn)) ?? `${why}: ${name}'s splice fails on it`;
  } catch (error) {
    // A template may raise anything, and a conversation may be one that the server refuses. It is red, whatever it was.
    return `${why}: ${error instanceof Error ? error.message : String(error)}`;
  }
}
