import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { dialectOf } from '../dialects/index.ts';
import { EXIT, InvalidError } from '../errors.ts';
import { WaiverList } from '../goldens/waivers.ts';
import { loadLanes } from '../lanes/load.ts';
import { Oracle } from '../oracle/oracle.ts';
import { loadTokenizer } from '../oracle/tokenizer.ts';
import { measured } from '../probe/fact.ts';
import { type Contact, firstContact } from '../probe/first-contact.ts';
import { keepAliveFact } from '../probe/keep-alive.ts';
import { laneText } from '../probe/lane-file.ts';
import { lineTo, MAX_ANSWER_BYTES } from '../probe/line.ts';
import { usableName } from '../probe/names.ts';
import { contactText } from '../probe/report-text.ts';
import type { OwnTemplate } from '../probe/template.ts';
import { type Project, projectAt } from '../project.ts';
import { ChatClient } from '../replay/client.ts';
import { probe } from '../replay/probe.ts';
import { printable } from '../report/escape.ts';
import { writeOut } from '../report/write.ts';
import { type Codebook, loadCodebook } from '../teleprompter/codebook.ts';

export interface ProbeOptions {
  url: string;
  model?: string;
  apiKeyEnv?: string;
  out?: string;
  /** Seconds that one answer may take. */
  timeout: number;
}

/** `parity probe`: a first-contact report of an unknown chat server and the lane that fits it. Returns the exit code. */
export async function probeCommand(options: ProbeOptions, signal: AbortSignal): Promise<number> {
  const target = targetOf(options.url);
  const apiKey = keyOf(options.apiKeyEnv);
  const name = laneName(options.out);
  if (options.model !== undefined && !usableName(options.model)) {
    throw new InvalidError('--model takes a name of visible ASCII characters without blanks');
  }
  const project = projectAt();
  const lanes = existsSync(project.lanes) ? loadLanes(project.lanes) : [];
  const waivers = WaiverList.load(join(project.goldens, 'waivers.yaml'), '');
  const totalMs = options.timeout * 1000;
  const limits = { headersMs: totalMs, bodyMs: totalMs, totalMs, maxBytes: MAX_ANSWER_BYTES };
  const client = new ChatClient(options.url, { limits, apiKey });
  const own = new ChatClient(options.url, { limits, apiKey });
  try {
    const line = lineTo(client, signal);
    const contact = await firstContact(line, {
      name,
      url: target.inFile,
      apiKeyEnv: options.apiKeyEnv,
      model: options.model,
      book: codebookOf(project),
      lanes: lanes.map(({ lane }) => lane),
      templates: templatesOf(
        project,
        lanes.map(({ lane }) => lane.chat_template),
      ),
      waivedIn: (lane) => waivers.scenariosOf(lane),
    });
    if (contact.state !== 'silent') contact.facts.push(await keepAliveFact(own, '/v1/models', signal));
    const checked = await checkedContact(contact, client, signal);
    writeOut(...`probed ${printable(client.shownUrl)}: ${line.asked} questions\n`.split('\n'));
    return finish(checked, options.out, target.note);
  } finally {
    await client.close();
    await own.close();
  }
}

/** A lane fits when the readiness probe of its own dialect passes, as `parity run` will ask it. */
async function checkedContact(contact: Contact, client: ChatClient, signal: AbortSignal): Promise<Contact> {
  if (contact.state !== 'lane') return contact;
  const { lane, facts } = contact;
  const ready = await probe(
    client,
    dialectOf(lane, lane.history ?? 'spliced', new Oracle(), lane.name),
    lane,
    signal,
  );
  if (ready.state === 'infra') return { facts, state: 'silent', problem: ready.message };
  if (ready.state === 'incomplete') return { facts, state: 'lacking', problem: ready.message };
  facts.push(measured('readiness', "the lane's own readiness probe passes"));
  return contact;
}

function finish(contact: Contact, out: string | undefined, note: string | undefined): number {
  const text = contactText(contact.facts);
  if (text !== '') writeOut(...`${text}\n`.split('\n'));
  if (contact.state !== 'lane') {
    writeOut(...`no lane: ${printable(contact.problem).slice(0, 600)}`.split('\n'));
    return contact.state === 'silent' ? EXIT.infra : EXIT.incomplete;
  }
  const { lane } = contact;
  const yaml = laneText(lane);
  const file = out ?? `ci/lanes/${lane.name}.yaml`;
  if (out !== undefined) {
    write(out, yaml);
  }
  const where = out === undefined ? `lane file to paste as ${file}` : `wrote ${file}`;
  writeOut(...`${where}\n\n${yaml}`.split('\n'));
  if (note) writeOut(...note.split('\n'));
  writeOut(...`next: ${nextStep(contact)}`.split('\n'));
  return EXIT.equal;
}

/** Writes a file that is not there yet. Throws {@link InvalidError} where it cannot be made. */
function write(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    throw new InvalidError('cannot be written', {
      where: file,
      hint: (error as Error).message,
      cause: error,
    });
  }
}

/** Without goldens of its model a lane has nothing to be compared with. */
const nextStep = ({ lane, recorded }: Extract<Contact, { state: 'lane' }>): string =>
  recorded
    ? `parity run --lane ${lane.name}`
    : `parity record --lane ${lane.name} --reason "first recording", for no golden of this model is known here`;

/** A URL that may be asked, and how it stands in a file: credentials never do. */
function targetOf(url: string): { inFile: string; note?: string } {
  const hint = 'write http://HOST:PORT, without /v1';
  if (!URL.canParse(url)) throw new InvalidError('--url is no URL', { hint });
  const { protocol, origin, pathname, search, hash, username } = new URL(url);
  if (!/^https?:$/.test(protocol) || search !== '' || hash !== '') {
    throw new InvalidError('--url is no base URL of an HTTP server', { hint });
  }
  if (/\/v1\/?$/.test(pathname)) throw new InvalidError('--url ends with /v1', { hint });
  if (username === '') return { inFile: origin + pathname.replace(/\/$/, '') };
  const name = 'PARITY_PROBED_URL';
  return { inFile: `\${${name}}`, note: `set ${name} to the URL with its credentials: they are not written` };
}

function keyOf(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  if (!/^[A-Za-z_]\w*$/.test(name)) throw new InvalidError('--api-key-env takes the name of a variable');
  const value = process.env[name];
  if (value) return value;
  throw new InvalidError(`the environment variable ${name} is not set`, {
    hint: 'it holds the bearer token',
  });
}

/** The lane's name is its file's; a file that is there is never written over. */
function laneName(out: string | undefined): string {
  if (out === undefined) return 'probed';
  const name = basename(out, '.yaml');
  if (!out.endsWith('.yaml') || !/^[a-z0-9][a-z0-9-]{0,59}$/.test(name)) {
    throw new InvalidError('--out takes a file like ci/lanes/my-lane.yaml', {
      hint: 'the name of the lane is made of a-z, 0-9 and hyphens',
    });
  }
  if (existsSync(out)) {
    throw new InvalidError('is there already, and is not written over', {
      where: out,
      hint: 'choose another name, or delete it first',
    });
  }
  return name;
}

const codebookOf = ({ codebook }: Project): Codebook | undefined =>
  existsSync(codebook) ? loadCodebook(codebook, (text) => loadTokenizer().encode(text)) : undefined;

/** Templates that lanes of the project bring; one that cannot be read is no template. */
function templatesOf({ root }: Project, paths: readonly (string | undefined)[]): OwnTemplate[] {
  return [...new Set(paths)].flatMap((path) =>
    path !== undefined && existsSync(join(root, path))
      ? [{ path, source: readFileSync(join(root, path), 'utf8') }]
      : [],
  );
}
