import type { Dialect } from '../dialects/dialect.ts';
import type { CoreTurn } from '../goldens/codec.ts';
import { parseJson } from '../json/parse.ts';
import { printJson } from '../json/print.ts';
import { isObject, type Json, JsonNumber } from '../json/value.ts';
import { sameIds } from '../oracle/same-ids.ts';
import type { LoadedScenario } from '../scenario/scenario.ts';
import type { Lane, RunEngine } from '../schemas/types.ts';
import type { ChatClient } from './client.ts';
import { newMessages, type TurnTexts } from './messages.ts';
import type { Readiness } from './probe.ts';

/** Of what a server says of itself, this much is kept. */
const MAX_MODELS = 20;
const MAX_NAME = 200;

/** What a server says of itself; whatever it does not tell is left out. */
export async function engineOf(client: ChatClient, lane: Lane, signal?: AbortSignal): Promise<RunEngine> {
  const engine: RunEngine = {};
  const version = await fieldOf(client, '/version', 'version', signal);
  if (typeof version === 'string') engine.version = version.slice(0, MAX_NAME);
  const list = await fieldOf(client, '/v1/models', 'data', signal);
  const models = Array.isArray(list) ? list.filter(isObject) : [];
  const ids = models.map((model) => model.get('id')).filter((id) => typeof id === 'string');
  if (ids.length > 0) engine.models = ids.slice(0, MAX_MODELS).map((id) => id.slice(0, MAX_NAME));
  const own = models.find((model) => model.get('id') === servedAs(lane));
  const window = own?.get('max_model_len');
  if (window instanceof JsonNumber) engine.max_model_len = window.value;
  return engine;
}

/** Whether the server is the one that the lane means. */
export function checkEngine(engine: RunEngine, lane: Lane): Readiness {
  const wrong = (message: string): Readiness => ({ state: 'incomplete', message });
  if (engine.models && !engine.models.includes(servedAs(lane))) {
    return wrong(`the server serves ${engine.models.join(', ')}, the lane asks for ${servedAs(lane)}`);
  }
  const { max_model_len: window, version } = lane;
  if (version !== undefined && !engine.version?.startsWith(version)) {
    return wrong(`the server is of version ${engine.version ?? 'unknown'}, the lane is for ${version}`);
  }
  if (window !== undefined && engine.max_model_len !== undefined && engine.max_model_len !== window) {
    return wrong(`the server's window is ${engine.max_model_len} tokens, the lane's ${window}`);
  }
  return { state: 'ready' };
}

export interface ScriptedTurn {
  scenario: LoadedScenario;
  texts: readonly TurnTexts[];
  /** The first turn of its golden. */
  core: CoreTurn;
}

/**
 * A scripted model must say the first scripted token, greedily. Another one after the very same prompt ids is another
 * checkpoint or codebook, or sampling; after another prompt it may be a finding, which is not decided here.
 */
export async function checkScript(
  client: ChatClient,
  dialect: Dialect,
  lane: Lane,
  { scenario, texts, core }: ScriptedTurn,
  signal?: AbortSignal,
): Promise<Readiness> {
  const [first] = texts;
  const { system, thinking, turns } = scenario.document;
  if (!first) return { state: 'ready' };
  const opening = system === undefined ? [] : [message('system', system)];
  const question = dialect.ask({
    model: servedAs(lane),
    messages: [...opening, ...newMessages(first, undefined, 1)],
    tools: scenario.tools,
    thinking: turns[0]?.thinking ?? thinking,
    maxTokens: 1,
    topLogprobs: 0,
  });
  if (typeof question === 'string') return { state: 'ready' };
  const answer = await client.post(dialect.path, Buffer.from(printJson(question.body)), signal);
  const reading = answer.kind === 'response' && question.read(answer.status, answer.body.toString()).reading;
  if (!reading || !sameIds(reading.prompt_token_ids, core.prompt)) return { state: 'ready' };
  const [said] = reading.generation_token_ids ?? [];
  const [scripted] = core.generation;
  if (said === undefined || scripted === undefined || said === scripted) return { state: 'ready' };
  return {
    state: 'incomplete',
    message: `the scripted model says token ${scripted} after the prompt of ${scenario.name}, the server said ${said}: another checkpoint or codebook, or sampling is not greedy`,
  };
}

const servedAs = ({ model }: Lane): string => model.served_as ?? model.name;

const message = (role: string, content: string) =>
  new Map<string, Json>([
    ['role', role],
    ['content', content],
  ]);

async function fieldOf(
  client: ChatClient,
  path: string,
  field: string,
  signal: AbortSignal | undefined,
): Promise<Json | undefined> {
  const answer = await client.get(path, signal);
  if (answer.kind !== 'response' || answer.status !== 200) return undefined;
  try {
    const body = parseJson(answer.body.toString());
    return isObject(body) ? body.get(field) : undefined;
  } catch {
    return undefined;
  }
}
