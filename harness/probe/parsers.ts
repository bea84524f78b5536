import type { DialectName } from '../domain.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import { assumed, type Fact, measured } from './fact.ts';
import { textAt } from './heard.ts';
import type { Speech, Spoken } from './scripted.ts';
import type { Script } from './scripts.ts';

/** Parsers of a server, as a lane names them, and how they are known. */
export interface Parsers {
  tool: string;
  reasoning: string;
  facts: Fact[];
}

/** The name under which a message carries reasoning; undefined where it carries none. */
export const reasoningName = (message: JsonObject): string | undefined =>
  ['reasoning', 'reasoning_content'].find((name) => message.has(name));

/** What each kind is usually started with in NeMo-RL's recipes and in this harness's goldens. */
const usual = (server: DialectName): string => (server.endsWith('trtllm') ? 'qwen3' : 'hermes');

/** Names the parsers by what they made of scripted replies; without them, takes the usual ones for granted. */
export function parsersOf(server: DialectName, speech: Speech): Parsers {
  if (speech.kind === 'not scripted') {
    const parsers = { tool: usual(server), reasoning: 'qwen3' };
    const why = `taken for granted: ${speech.why}`;
    return { ...parsers, facts: [assumed('parsers', `tool ${parsers.tool}, reasoning qwen3`, why)] };
  }
  const reply = (name: Script['name']): Spoken | undefined =>
    speech.spoken.find(({ script }) => script.name === name);
  const tool = toolParser(reply);
  const reasoning = reasoningParser(server, reply);
  return {
    tool: tool.name,
    reasoning: reasoning.name,
    facts: [tool.fact, reasoning.fact, quirksFact(speech.spoken)],
  };
}

type Reply = (name: Script['name']) => Spoken | undefined;
interface Named {
  name: string;
  fact: Fact;
}

function toolParser(reply: Reply): Named {
  const parsed = (name: Script['name']): boolean => calls(reply(name)) > 0;
  const [json, tight, xml] = (['call', 'tight call', 'XML call'] as const).map(parsed);
  const name = xml && !json ? 'qwen3_coder' : json ? (tight ? 'hermes' : 'qwen3') : 'none';
  const shown = `JSON call ${word(json)}, without newlines ${word(tight)}, as tags ${word(xml)}`;
  return { name, fact: measured('tool parser', `parses like ${name}`, shown) };
}

const word = (parsed: boolean | undefined): string => (parsed ? 'parsed' : 'left as text');

/** How the reasoning of a plain reply, and of text before the tag, comes out. */
function reasoningParser(server: DialectName, reply: Reply): Named {
  const plain = reasoningOf(reply('call'));
  const before = reasoningOf(reply('text before the tag'));
  const name = !plain
    ? 'none'
    : server === 'nemo-rl-trtllm'
      ? plain.startsWith('<think>')
        ? 'deepseek-r1'
        : 'qwen3'
      : before?.startsWith('It is') === false
        ? 'deepseek_r1'
        : 'qwen3';
  const lines = [
    `<think>\nTen.\n</think> gives ${shown(plain)}`,
    `with text before the tag: ${shown(before)}`,
    `without tags: reasoning ${shown(reasoningOf(reply('no tags')))}, content ${shown(contentOf(reply('no tags')))}`,
  ];
  return { name, fact: measured('reasoning parser', `parses like ${name}`, ...lines) };
}

function quirksFact(spoken: readonly Spoken[]): Fact {
  const special = spoken.find(({ script }) => script.name === 'special token');
  const content = contentOf(special);
  const tokens =
    content === undefined ? 'not known' : content.includes('<|im_start|>') ? 'kept as text' : 'left out';
  const call = spoken.find(({ script }) => script.name === 'call');
  const finish = textAt(call?.parts.choice, 'finish_reason');
  return measured(
    'message',
    `special tokens in content: ${tokens}`,
    `finish_reason of a call: ${shown(finish)}; content beside it: ${shown(contentOf(call))}`,
    `tool_calls without a call: ${spelled(spoken.find(({ script }) => script.name === 'no tags')?.parts.message.get('tool_calls'))}`,
  );
}

const spelled = (value: Json | undefined): string =>
  value === undefined
    ? 'absent'
    : value === null
      ? 'null'
      : Array.isArray(value)
        ? `a list of ${value.length}`
        : 'odd';

const shown = (text: string | undefined): string => (text === undefined ? 'none' : JSON.stringify(text));

const reasoningOf = (spoken: Spoken | undefined): string | undefined => {
  const message = spoken?.parts.message;
  return textAt(message, 'reasoning') ?? textAt(message, 'reasoning_content');
};

const contentOf = (spoken: Spoken | undefined): string | undefined =>
  textAt(spoken?.parts.message, 'content');

function calls(spoken: Spoken | undefined): number {
  const list = spoken?.parts.message.get('tool_calls');
  return Array.isArray(list) ? list.filter(isObject).length : 0;
}
