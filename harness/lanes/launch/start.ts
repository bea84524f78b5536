import { resolve } from 'node:path';
import type { LaunchedServer } from '../../schemas/types.ts';
import type { LoadedLane } from '../load.ts';
import { type Environment, engineEnvironment, isSecretName } from './environment.ts';
import { fillNames, type Names } from './names.ts';
import { Redaction } from './redaction.ts';

/** Where started servers listen. */
export const HOST = '127.0.0.1';
export const DEFAULT_URL = 'http://{host}:{port}';

export interface StartInput {
  /** The project's folder, where commands run. */
  root: string;
  caller: NodeJS.ProcessEnv;
  /** Folder of the checkpoint; undefined when the lane names none. */
  modelPath: string | undefined;
  /** Undefined for a lane whose command takes none. */
  port: number | undefined;
  /** Value of {name}: unique, so that stopping a container of this name stops no other. */
  name: string;
}

/** A lane's launch with everything filled in. */
export interface Start {
  command: string[];
  env: Environment;
  cwd: string;
  stop: string[] | undefined;
  /** Base URL; the handshake's is filled in once it is there. Throws while it is needed and not there. */
  url(handshake: string | undefined): string;
  /** The URL is the handshake's. */
  tellsUrl: boolean;
  secrets: Redaction;
}

/** Fills a lane's launch. Throws {@link InvalidError} for a name or variable without a value. */
export function startOf({ lane, file }: LoadedLane, spec: LaunchedServer, input: StartInput): Start {
  const { root, caller, modelPath, port, name } = input;
  const secrets = new Redaction();
  const names: Names = {
    host: HOST,
    name,
    port: port === undefined ? undefined : String(port),
    'model.path': modelPath,
    'model.served_as': lane.model.served_as ?? lane.model.name,
    'model.dtype': lane.model.dtype ?? 'bfloat16',
    chat_template: lane.chat_template && resolve(root, lane.chat_template),
    'handshake.url': undefined,
  };
  const fill = (text: string, more: Names = {}): string =>
    fillNames(text, { ...names, ...more }, { file, caller, onSecret: (value) => secrets.add(value) });
  const own = Object.entries(spec.env ?? {}).map(([key, value]): [string, string] => [key, fill(value)]);
  const env = engineEnvironment(caller, spec.keep_env ?? [], Object.fromEntries(own));
  for (const [key, value] of Object.entries(env)) if (isSecretName(key)) secrets.add(value);
  const template = spec.url ?? DEFAULT_URL;
  return {
    command: spec.command.map((text) => fill(text)),
    env,
    cwd: root,
    stop: spec.stop?.map((text) => fill(text)),
    url: (handshake) => fill(template, { 'handshake.url': handshake }).replace(/\/$/, ''),
    tellsUrl: template.includes('{handshake.url}'),
    secrets,
  };
}

/** Whether a lane's server is told its port by us. */
export const usesPort = ({ command, env = {}, url = DEFAULT_URL }: LaunchedServer): boolean =>
  [...command, ...Object.values(env), url].some((text) => text.includes('{port}'));
