import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'yaml';
import type { DialectName } from '../domain.ts';
import type { Lane } from '../schemas/types.ts';
import { checkDocument } from '../schemas/validate.ts';
import { goldenName } from './names.ts';

/** What a lane file is made of. */
export interface Findings {
  name: string;
  server: DialectName;
  /** Value of a request's `model`; one that {@link usableName} takes. */
  served: string;
  lag: 256 | 4096 | undefined;
  parsers: { tool: string; reasoning: string };
  eos: 'kept' | 'trimmed';
  window: number | undefined;
  template: string | undefined;
  url: string;
  apiKeyEnv: string | undefined;
  /** The server says that it is one of ours. */
  emulated: boolean;
  /** What of it was taken for granted, for whoever reads the file. */
  assumptions: readonly string[];
}

/** A lane of the project that plays the same tokens and messages: what it leaves out does not fit this server either. */
export function likeLane(lanes: readonly Lane[], found: Findings): Lane | undefined {
  const like = lanes.filter(
    (lane) =>
      lane.server === found.server &&
      lane.chat_template === found.template &&
      lane.model.teleprompter?.lag === found.lag &&
      lane.parsers.tool === found.parsers.tool &&
      lane.parsers.reasoning === found.parsers.reasoning &&
      (found.lag !== undefined || (lane.model.served_as ?? lane.model.name) === found.served),
  );
  return like.find((lane) => lane.embedded) ?? like[0];
}

/**
 * The lane for a server, keys in the order of the schema. `like` supplies the goldens' folder and the scenarios, but for those
 * in which it has a waiver: a waiver holds for one lane, and nobody has granted this one any.
 */
export function laneOf(found: Findings, like: Lane | undefined, waived: readonly string[] = []): Lane {
  const scenarios = [...(like?.scenarios ?? []), ...waived.map((name) => `!${name}`)];
  const usual = found.lag === undefined ? goldenName(found.served) : `teleprompter-${found.lag}`;
  const name = like?.model.name ?? usual;
  const { assumptions } = found;
  const what = found.emulated ? `the bundled emulation of a ${found.server}` : `a running ${found.server}`;
  const about = `${what} server, as parity probe found it`;
  return {
    name: found.name,
    about: assumptions.length > 0 ? `${about}; taken for granted: ${assumptions.join(', ')}` : about,
    server: found.server,
    model: {
      name,
      ...(found.served === name ? {} : { served_as: found.served }),
      ...(found.lag === undefined ? {} : { teleprompter: { lag: found.lag } }),
    },
    ...(found.template === undefined ? {} : { chat_template: found.template }),
    attach: { url: found.url, ...(found.apiKeyEnv ? { api_key_env: found.apiKeyEnv } : {}) },
    parsers: found.parsers,
    eos: found.eos,
    ...(found.server === 'vllm-serve' ? { history: 'rerendered' as const } : {}),
    ...(found.window === undefined ? {} : { max_model_len: found.window }),
    ...(scenarios.length > 0 ? { scenarios } : {}),
  };
}

/**
 * A lane as YAML. Nothing that a server says can become a key: the text is read back and must be exactly this lane, else this
 * throws, as it does for a lane that is not valid.
 */
export function laneText(lane: Lane): string {
  const text = stringify(lane, {
    version: '1.2',
    schema: 'core',
    lineWidth: 0,
    aliasDuplicateObjects: false,
  });
  const checked = checkDocument('lane', lane);
  if (!checked.ok) throw new Error(`not a valid lane: ${JSON.stringify(checked.problems)}`);
  if (!isDeepStrictEqual(parse(text), lane)) throw new Error('the lane file would not read back as written');
  return text;
}
