import { EMULATION } from '../embedded/kinds.ts';
import type { Lane } from '../schemas/types.ts';
import type { Codebook } from '../teleprompter/codebook.ts';
import { askAnswers } from './answers.ts';
import { errorShape } from './error-shape.ts';
import { errorsFact } from './errors.ts';
import { assumed, type Fact, told, unknown } from './fact.ts';
import { askFamily } from './family.ts';
import { askPairs, gateFact } from './gate.ts';
import { type Line, textAt } from './heard.ts';
import { laneOf, likeLane } from './lane-file.ts';
import { modelOf } from './model.ts';
import { toldVersions, usableName } from './names.ts';
import { CHAT } from './question.ts';
import { askRoutes, routesFact } from './routes.ts';
import type { OwnTemplate } from './template.ts';

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
  const emulated = greedy.heard.headers.server?.startsWith(EMULATION) === true;
  const facts = [
    model.fact,
    versions.length > 0 ? told('version', ...versions) : unknown('version', 'the server tells none'),
    routesFact(presences),
    gateFact(gated),
    await errorsFact(line, model.name, open?.pair.fields ?? {}),
  ];
  if (emulated) facts.push(told('emulation', 'the bundled emulation: no evidence about a real engine'));
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
    emulated,
    assumptions: facts.filter(({ basis }) => basis === 'assumed').map(({ what }) => what),
  };
  const like = likeLane(options.lanes, findings);
  const waived = like ? options.waivedIn(like.name) : [];
  facts.push(scenariosFact(like, waived));
  return { facts, state: 'lane', lane: laneOf(findings, like, waived), recorded: like !== undefined };
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
