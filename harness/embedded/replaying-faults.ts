import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ServerKind } from './kinds.ts';
import { loadRecording } from './recording.ts';
import type { ReplayedAnswer } from './replaying.ts';

/** An answer of a real fault, and where its bytes come from. */
export interface FaultAnswer extends ReplayedAnswer {
  /** `<server>/<file>#<n>` below recordings/; without it the answer is a reconstruction. */
  recorded?: string;
}

/** A fault of a real server as it was measured: the conversation that meets it and the answers that show it. */
export interface RealFault {
  name: string;
  /** What is wrong, in one sentence. */
  about: string;
  /** Which measurement says so, and how the answers were come by. */
  source: string;
  server: ServerKind;
  parsers: { tool: string; reasoning: string };
  /** Files of the project that plays it, by path: scenario, codebook, listed differences. */
  project: Record<string, string>;
  /** The server's answers, one per turn. */
  answers: FaultAnswer[];
  /** The same without the fault, where no emulation gives them: what a golden is recorded from. */
  mended?: FaultAnswer[];
}

const RECORDINGS = fileURLToPath(new URL('./recordings/', import.meta.url));
const FOLDER = fileURLToPath(new URL('./real-faults/', import.meta.url));

/** Names of all real faults. */
export const realFaultNames = (): string[] => readdirSync(FOLDER).map((file) => file.replace(/\.json$/, ''));

/** One real fault by name. */
export const loadRealFault = (name: string): RealFault =>
  // Our own data beside this file; what it must hold its test asserts.
  JSON.parse(readFileSync(`${FOLDER}${name}.json`, 'utf8')) as RealFault;

/** The recorded answer that a name `<server>/<file>#<n>` stands for. Throws when there is none. */
export function recordedAnswer(name: string): ReplayedAnswer {
  const [file = '', n] = name.split('#');
  const exchange = loadRecording(`${RECORDINGS}${file}`).exchanges.find((entry) => String(entry.n) === n);
  if (!exchange) throw new Error(`no recorded exchange ${name}`);
  const { status, contentType, answer } = exchange;
  return { status, contentType, body: answer };
}
