import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type EmbeddedOptions, type EmbeddedServer, startEmbeddedServer } from '../embedded/server.ts';
import { loadLanes } from '../lanes/load.ts';
import { loadTokenizer } from '../oracle/tokenizer.ts';
import { ChatClient } from '../replay/client.ts';
import { loadCodebook } from '../teleprompter/codebook.ts';
import { REPOSITORY } from '../testing/cli.ts';
import { type Contact, firstContact } from './first-contact.ts';
import { lineTo } from './line.ts';

const TEMPLATE = 'ci/templates/prefilled.jinja';
export const prefilled = { path: TEMPLATE, source: readFileSync(join(REPOSITORY, TEMPLATE), 'utf8') };

const codebook = loadCodebook(join(REPOSITORY, 'goldens/codebook.json'), (text) =>
  loadTokenizer().encode(text),
);

type Given = Partial<EmbeddedOptions> & Pick<EmbeddedOptions, 'server'>;

/** An embedded server of the scripted model, as the lanes have it but for what is given. */
export const startScripted = (given: Given): Promise<EmbeddedServer> =>
  startEmbeddedServer({
    model: 'teleprompter-256',
    codebook,
    lag: 256,
    maxModelLen: 8192,
    sampling: { train: { temperature: 0, top_p: 1 }, validation: { temperature: 0.2, top_p: 0.95 } },
    parsers: { tool: given.server === 'nemo-rl-trtllm' ? 'qwen3' : 'hermes', reasoning: 'qwen3' },
    ...given,
  });

/** First contact with such a server, over real HTTP. */
export async function contactWith(given: Given): Promise<Contact> {
  const server = await startScripted(given);
  const client = new ChatClient(server.url);
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return firstContact(lineTo(client, new AbortController().signal), {
    name: 'probed',
    url: 'http://127.0.0.1:8000',
    apiKeyEnv: undefined,
    model: undefined,
    book: codebook,
    lanes: loadLanes(join(REPOSITORY, 'ci/lanes')).map(({ lane }) => lane),
    templates: [prefilled],
    waivedIn: () => [],
  });
}
