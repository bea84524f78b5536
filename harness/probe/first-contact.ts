import type { Lane } from '../schemas/types.ts';
import type { Codebook } from '../teleprompter/codebook.ts';
import { eosOf } from './eos.ts';
import { errorShape } from './error-shape.ts';
import { errorsFact } from './errors.ts';
import { assumed, type Fact, measured, told, unknown } from './fact.ts';
import { askPairs, type Gated, gateFact } from './gate.ts';
import { type Line, objectOf, textAt } from './heard.ts';
import { idPlaces, idsFact, idsOf, type Parts, partsOf } from './ids.ts';
import { type Kind, kindOf } from './kind.ts';
import { laneOf, likeLane } from './lane-file.ts';
import { modelOf } from './model.ts';
import { toldVersions, usableName } from './names.ts';
import { parsersOf, reasoningName } from './parsers.ts';
import { CHAT, chatBody, type Fields } from './question.ts';
import { askRoutes, type Presences, routesFact } from './routes.ts';
import { speechFact, speechOf } from './scripted.ts';
import { type OwnTemplate, templateOfPrompt } from './template.ts';

export interface ContactOptions {
  /** Name of the lane to make. */
  name: string;
  /** The URL as the lane file shall carry it. */
  url: string;
  apiKeyEnv: string | undefined;
  /** Served model; found out where it is undefined. */
  model: string | undefined;
  book: Codebook | undefined;
  lanes: readonly Lane[];
  templates: readonly OwnTemplate[];
  /** Scenarios in which a lane of the project has a waiver. */
  waivedIn(lane: string): string[];
}

/** What first contact brings: facts, and a lane or why there is none. */
export type Contact = { facts: Fact[] } /** `recorded`: the project plays this model already. */ & (
  | { state: 'lane'; lane: Lane; recorded: boolean }
  | { state: 'silent' | 'lacking'; problem: string }
);

/** Asks an unknown chat server everything that a lane must know, and makes the lane. */
export async function firstContact(line: Line, options: ContactOptions): Promise<Contact> {
  const models = await line.get('/v1/models');
  const model = modelOf(models, options.model);
  const gated = await askPairs(line, model.name);
  const [greedy] = gated;
  if (!greedy || greedy.heard.kind === 'none') {
    const why = greedy?.heard.kind === 'none' ? greedy.heard.reason : 'not asked';
    return { facts: [], state: 'silent', problem: `${CHAT} gave no answer: ${why}` };
  }
  const { presences, heard } = await askRoutes(line, new Map([['/v1/models', models]]));
  const open = gated.find(({ accepted }) => accepted);
  const versions = toldVersions(heard, open?.heard);
  const facts = [
    model.fact,
    versions.length > 0 ? told('version', ...versions) : unknown('version', 'the server tells none'),
    routesFact(presences),
    gateFact(gated),
    await errorsFact(line, model.name, open?.pair.fields ?? {}),
  ];
  if (!open) {
    const hint = model.name === undefined ? '; perhaps it must be told a model: --model NAME' : '';
    const problem = `no chat request is accepted: ${errorShape(greedy.heard)}${hint}`;
    return { facts, state: 'lacking', problem };
  }
  const family = await askFamily(line, model.name, { open, gated, presences });
  facts.unshift(family.kind.fact);
  facts.push(...family.facts);
  if (!family.kind.server) return { facts, state: 'lacking', problem: family.kind.fact.lines.join('; ') };
  const found = await askAnswers(line, { ...family, server: family.kind.server, model: model.name }, options);
  facts.push(...found.facts);
  if (!greedy.accepted) {
    const problem = `${greedy.pair.name} is refused (${errorShape(greedy.heard)}), and every lane asks so`;
    return { facts, state: 'lacking', problem: `${problem}; start the server with that pair` };
  }
  const answered = textAt(family.parts?.body, 'model');
  if (answered !== undefined) facts.push(told('model in answers', answered));
  const served = servedName(model.name ?? answered, found.lag);
  facts.push(...served.facts);
  const findings = {
    ...found,
    name: options.name,
    server: family.kind.server,
    served: served.name,
    window: model.window,
    url: options.url,
    apiKeyEnv: options.apiKeyEnv,
    assumptions: facts.filter(({ basis }) => basis === 'assumed').map(({ what }) => what),
  };
  const like = likeLane(options.lanes, findings);
  const waived = like ? options.waivedIn(like.name) : [];
  facts.push(scenariosFact(like, waived));
  return { facts, state: 'lane', lane: laneOf(findings, like, waived), recorded: like !== undefined };
}

interface Family {
  kind: Kind;
  /** Sampling fields that this server accepts, ids asked for where it must be. */
  fields: Fields;
  /** An answer with ids. */
  parts: Parts | undefined;
  facts: Fact[];
}

/** Where ids are, what reasoning is called, and so which kind it is. */
async function askFamily(
  line: Line,
  model: string | undefined,
  { open, gated, presences }: { open: Gated; gated: readonly Gated[]; presences: Presences },
): Promise<Family> {
  const withIds: Fields = { ...open.pair.fields, return_token_ids: true };
  const plain = partsOf(open.heard);
  const asked = partsOf(await line.post(CHAT, chatBody({ model, fields: withIds })));
  const reasoning = plain && reasoningName(plain.message);
  const plainIds = idPlaces(plain);
  const askedIds = idPlaces(asked);
  const fingerprint = textAt(objectOf(open.heard), 'system_fingerprint');
  const kind = kindOf({ plainIds, askedIds, gated, presences, reasoning, fingerprint });
  const onRequest = kind.server === 'vllm-serve';
  return {
    kind,
    fields: onRequest ? withIds : open.pair.fields,
    parts: onRequest ? asked : plain,
    facts: [
      idsFact(plainIds, askedIds),
      measured('reasoning field', reasoning ?? 'none on a message without reasoning'),
    ],
  };
}

type Answers = Pick<Parameters<typeof laneOf>[0], 'lag' | 'parsers' | 'eos' | 'template'> & { facts: Fact[] };

/** What only whole replies show: template, scripted model, terminal stop id, parsers. */
async function askAnswers(
  line: Line,
  {
    server,
    model,
    fields,
    parts,
  }: Omit<Family, 'kind'> & { server: Lane['server']; model: string | undefined },
  { book, templates }: ContactOptions,
): Promise<Answers> {
  const prompt = parts && idsOf(parts).prompt;
  const template = templateOfPrompt(server, chatBody({ model, fields }), prompt, templates);
  const speech = await speechOf(line, book, prompt, { model, fields });
  const stopped = speech.kind === 'scripted' ? undefined : await stoppedReply(line, model, fields);
  const { tool, reasoning, facts } = parsersOf(server, speech);
  const eos = eosOf(server, speech, stopped);
  return {
    lag: speech.kind === 'scripted' ? speech.lag : undefined,
    parsers: { tool, reasoning },
    eos: eos.eos,
    template: template.path,
    facts: [template.fact, speechFact(speech), eos.fact, ...facts],
  };
}

/** A reply of a real model that has room to end by itself. */
async function stoppedReply(
  line: Line,
  model: string | undefined,
  fields: Fields,
): Promise<Parts | undefined> {
  const text = 'Answer with the single word yes.';
  const quick: Fields = { ...fields, chat_template_kwargs: new Map([['enable_thinking', false]]) };
  return partsOf(await line.post(CHAT, chatBody({ model, text, maxTokens: 64, fields: quick })));
}

/** The name that requests of the lane carry. */
function servedName(tells: string | undefined, lag: number | undefined): { name: string; facts: Fact[] } {
  if (tells !== undefined && usableName(tells)) return { name: tells, facts: [] };
  const name = lag === undefined ? 'model' : `teleprompter-${lag}`;
  return { name, facts: [assumed('model name', `${name}: the server tells none that can be used`)] };
}

function scenariosFact(like: Lane | undefined, waived: readonly string[]): Fact {
  if (!like) {
    const why = 'no lane here has this kind, model and parsers';
    return assumed('scenarios', `all: ${why}; goldens may have to be recorded`);
  }
  const lines = [`those of the lane ${like.name}, which has this kind, model and parsers`];
  if (waived.length > 0) lines.push(`left out, for that lane needs a waiver there: ${waived.join(', ')}`);
  return assumed('scenarios', ...lines);
}
