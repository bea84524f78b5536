import type { Lane } from '../schemas/types.ts';
import type { Codebook } from '../teleprompter/codebook.ts';
import { eosOf } from './eos.ts';
import type { Fact } from './fact.ts';
import type { Family } from './family.ts';
import type { Line } from './heard.ts';
import { idsOf, type Parts, partsOf } from './ids.ts';
import type { Findings } from './lane-file.ts';
import { parsersOf } from './parsers.ts';
import { CHAT, chatBody, type Fields } from './question.ts';
import { speechFact, speechOf } from './scripted.ts';
import { type OwnTemplate, templateOfPrompt } from './template.ts';

type Answers = Pick<Findings, 'lag' | 'parsers' | 'eos' | 'template'> & { facts: Fact[] };

/** What only whole replies show: template, scripted model, terminal stop id, parsers. */
export async function askAnswers(
  line: Line,
  {
    server,
    model,
    fields,
    parts,
  }: Omit<Family, 'kind'> & { server: Lane['server']; model: string | undefined },
  { book, templates }: { book: Codebook | undefined; templates: readonly OwnTemplate[] },
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
