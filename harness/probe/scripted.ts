import { loadTokenizer } from '../oracle/tokenizer.ts';
import type { Codebook } from '../teleprompter/codebook.ts';
import { ScriptError, scriptIds, withLines } from '../teleprompter/script.ts';
import { type Fact, measured } from './fact.ts';
import type { Heard, Line } from './heard.ts';
import { idsOf, type Parts, partsOf } from './ids.ts';
import { CHAT, chatBody, type Fields, GREETING } from './question.ts';
import { SCRIPTS, type Script, TOOLS } from './scripts.ts';

/** Distances between script and speech that a teleprompter can have, the short one first. */
const LAGS = [256, 4096] as const;
type Lag = (typeof LAGS)[number];

/** What a scripted model answered to one script. */
export interface Spoken {
  script: Script;
  /** The script's ids, the end-of-turn id at their end. */
  ids: readonly number[];
  parts: Parts;
  generation: readonly number[];
}

/** What is known of a server by making it speak. */
export type Speech =
  | { kind: 'scripted'; lag: Lag; spoken: Spoken[]; failed: string[] }
  | { kind: 'not scripted'; why: string };

interface SpeakOptions {
  model: string | undefined;
  fields: Fields;
  book: Codebook;
  /** Tokens that the template puts behind a user's text. */
  tail: number;
}

/** Makes the model say every script; `prompt` are the ids that the server made of {@link GREETING}. */
export async function speechOf(
  line: Line,
  book: Codebook | undefined,
  prompt: readonly number[] | undefined,
  own: Pick<SpeakOptions, 'model' | 'fields'>,
): Promise<Speech> {
  if (!book) return { kind: 'not scripted', why: 'no codebook here to script replies with' };
  const at = prompt?.lastIndexOf(GREETING_ID) ?? -1;
  if (!prompt || at === -1) return { kind: 'not scripted', why: 'the prompt is not tokenized as Qwen3 does' };
  return speak(line, { ...own, book, tail: prompt.length - 1 - at });
}

/** The token of {@link GREETING} in the Qwen3 vocabulary. */
const GREETING_ID = 9707;

/** The first script that comes out shows the lag. */
async function speak(line: Line, options: SpeakOptions): Promise<Speech> {
  let why = '';
  for (const lag of LAGS) {
    const spoken: Spoken[] = [];
    const failed: string[] = [];
    for (const script of SCRIPTS) {
      const next = await say(line, script, lag, options);
      if (typeof next === 'string') failed.push(`${script.name}: ${next}`);
      else spoken.push(next);
      if (spoken.length === 0) break;
    }
    if (spoken.length > 0) return { kind: 'scripted', lag, spoken, failed };
    why ||= failed[0] ?? '';
  }
  return { kind: 'not scripted', why: `a script did not come out (${why})` };
}

/** Whether replies can be scripted, without which parsers are not known. */
export function speechFact(speech: Speech): Fact {
  if (speech.kind === 'not scripted') return measured('scripted model', `no: ${speech.why}`);
  const line = `yes, lag ${speech.lag}: ${speech.spoken.length} scripts came back id by id`;
  return measured('scripted model', line, ...speech.failed.map((why) => `not known: ${why}`));
}

/** Asks for one script; gives what was spoken, or why nothing can be said about it. */
async function say(line: Line, script: Script, lag: Lag, options: SpeakOptions): Promise<Spoken | string> {
  const ids = scriptIds(script.say, loadTokenizer());
  let text: string;
  try {
    text = withLines(GREETING, ids, { book: options.book, lag, tail: options.tail });
  } catch (error) {
    if (error instanceof ScriptError) return error.message.split('\n')[0] ?? '';
    throw error;
  }
  const body = chatBody({
    model: options.model,
    text,
    ...(script.tools ? { tools: TOOLS } : {}),
    maxTokens: ids.length + 8,
    fields: options.fields,
  });
  return spokenOf(script, ids, await line.post(CHAT, body));
}

function spokenOf(script: Script, ids: readonly number[], heard: Heard): Spoken | string {
  if (heard.kind === 'none') return heard.reason;
  const parts = partsOf(heard);
  if (!parts) return `status ${heard.status}`;
  const { generation } = idsOf(parts);
  if (!generation) return 'no ids';
  const whole = ids.every((id, index) => id === generation[index]);
  const trimmed = ids.slice(0, -1).every((id, index) => id === generation[index]);
  const complete = generation.length === ids.length ? whole : generation.length === ids.length - 1 && trimmed;
  return complete ? { script, ids, parts, generation } : 'other ids than scripted';
}
