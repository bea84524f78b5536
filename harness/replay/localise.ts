import { parseJson } from '../json/parse.ts';
import { printJson } from '../json/print.ts';
import { isObject, type Json, JsonNumber, type JsonObject } from '../json/value.ts';
import { sameIds } from '../oracle/same-ids.ts';
import type { ChatClient } from './client.ts';

/** For one question, in milliseconds; the run is over and a stage that hangs must not hold it. */
const PATIENCE_MS = 30_000;

/** What one stage of a live server says when it is asked alone. */
export interface StageAnswer {
  stage: 'render' | 'tokenize' | 'engine';
  route: string;
  /** Which side's ids it gives; absent where the server has no such route. */
  says: 'expected' | 'actual' | 'neither' | 'absent';
}

export interface LocaliseInput {
  client: ChatClient;
  model: string;
  /** The chat request that was sent. */
  request: JsonObject;
  /** The other side's prompt as text, for the tokenizer alone; undefined where no tokenizer gives its ids back. */
  text: string | undefined;
  expected: Ids;
  actual: Ids;
  maxTokens: number;
  signal?: AbortSignal | undefined;
}

interface Ids {
  prompt: readonly number[];
  /** The terminal stop id included. */
  generation: readonly number[];
}

/**
 * Asks the stages of a live server one by one: the template (`/v1/chat/completions/render`, vLLM 0.32), the tokenizer
 * (`/tokenize`) and the engine (`/v1/completions` with the other side's prompt ids). NeMo-RL's servers have none but
 * vLLM's `/tokenize`.
 */
export async function askStages(input: LocaliseInput): Promise<StageAnswer[]> {
  const { model, request, text, expected, actual, maxTokens } = input;
  const engine = jsonBody({
    model,
    prompt: expected.prompt.map(number),
    max_tokens: number(maxTokens),
    temperature: new JsonNumber('0.0'),
    return_token_ids: true,
    skip_special_tokens: false,
  });
  const prompts = [expected.prompt, actual.prompt] as const;
  return [
    await ask(input, 'render', '/v1/chat/completions/render', request, ['token_ids'], prompts),
    ...(text === undefined
      ? []
      : [
          await ask(
            input,
            'tokenize',
            '/tokenize',
            jsonBody({ model, prompt: text, add_special_tokens: false }),
            ['tokens'],
            prompts,
          ),
        ]),
    await ask(
      input,
      'engine',
      '/v1/completions',
      engine,
      ['choices', 0, 'token_ids'],
      [expected.generation, actual.generation],
    ),
  ];
}

async function ask(
  { client, signal }: LocaliseInput,
  stage: StageAnswer['stage'],
  route: string,
  body: JsonObject,
  path: readonly (string | number)[],
  [expected, actual]: readonly [readonly number[], readonly number[]],
): Promise<StageAnswer> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const answer = await client
    .post(route, Buffer.from(printJson(body)), signal ? AbortSignal.any([signal, patience]) : patience)
    .catch((error) => {
      if (signal?.aborted) throw error;
      return undefined;
    });
  const ids =
    answer?.kind === 'response' && answer.status === 200 ? idsAt(answer.body.toString(), path) : undefined;
  if (!ids) return { stage, route, says: 'absent' };
  const says = sameIds(ids, expected) ? 'expected' : sameIds(ids, actual) ? 'actual' : 'neither';
  return { stage, route, says };
}

/** The list of ids at a place of a JSON text; undefined for anything else. */
function idsAt(text: string, path: readonly (string | number)[]): number[] | undefined {
  let value: Json | undefined;
  try {
    value = parseJson(text);
  } catch {
    return undefined;
  }
  for (const key of path) {
    if (typeof key === 'number') value = Array.isArray(value) ? value[key] : undefined;
    else value = isObject(value) ? value.get(key) : undefined;
  }
  if (!Array.isArray(value)) return undefined;
  const numbers = value.filter((id) => id instanceof JsonNumber).map(({ value: id }) => id);
  return numbers.length === value.length ? numbers : undefined;
}

const number = (value: number): JsonNumber => new JsonNumber(String(value));

const jsonBody = (fields: Record<string, Json>): JsonObject => new Map(Object.entries(fields));
