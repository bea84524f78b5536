import { type TokenApi, tokenAnswer } from '../dialects/tokens/api.ts';
import { TOKEN_APIS } from '../dialects/tokens/index.ts';
import { isObject } from '../json/value.ts';
import type { LaneTokens } from '../schemas/types.ts';
import { errorShape } from './error-shape.ts';
import { type Fact, measured } from './fact.ts';
import type { Line } from './heard.ts';

type ApiName = LaneTokens['api'];

// Object.entries forgets that the keys are the names.
const APIS = Object.entries(TOKEN_APIS) as [ApiName, TokenApi][];

/** Ids of any small vocabulary. */
const PROMPT = [100, 101, 102];

/** Which of the ways that a lane of the kind `tokens` can take answer ids with ids. */
export async function askTokenRoutes(
  line: Line,
  model: string | undefined,
): Promise<{ working: ApiName[]; fact: Fact }> {
  const working: ApiName[] = [];
  const lines: string[] = [];
  for (const [name, api] of APIS) {
    const body = api.request({ model: model ?? '', prompt: PROMPT, maxTokens: 1, topLogprobs: 0 });
    if (model === undefined && isObject(body)) body.delete('model');
    const heard = await line.post(api.path, body);
    const answer = heard.kind === 'answer' ? tokenAnswer(api, heard.status, heard.text) : undefined;
    const gives = answer?.ok === true && (answer.fields.generation_token_ids?.length ?? 0) > 0;
    if (gives) working.push(name);
    lines.push(
      `${name} (${api.path}): ${gives ? 'gives ids' : answer?.ok ? 'gives none' : errorShape(heard)}`,
    );
  }
  return { working, fact: measured('ids in, ids out', ...lines) };
}
