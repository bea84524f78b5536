import type { Engine, ReasoningForm, ToolForm } from './engines.ts';

/** Where in a reply a piece of text stands. */
export type Place =
  | 'before the opening think tag'
  | 'beside calls, before the first'
  | 'beside calls, behind the first opened'
  | 'a block that is no call'
  | 'a call without a name'
  | 'a key that no call has'
  | 'a call without its end'
  | 'a call on one line'
  | 'beside the functions of a block'
  | 'beside the parameters of a function'
  | 'a value without its end';

/** Generated text that an engine is known to show nowhere: neither in reasoning nor in content nor in a call. */
export interface KnownDrop {
  engines: readonly Engine[];
  /** The parser that drops it. */
  parser: ToolForm | ReasoningForm;
  place: Place;
  about: string;
}

const VLLM: readonly Engine[] = ['vllm-0.25.1', 'vllm-0.32'];
const ALL: readonly Engine[] = [...VLLM, 'trtllm'];

/**
 * Every known drop. A property test finds replies with text in each place and fails for text lost elsewhere, and for an entry
 * under which nothing is lost any more.
 */
export const KNOWN_DROPS: readonly KnownDrop[] = [
  {
    engines: VLLM,
    parser: 'deepseek_r1',
    place: 'before the opening think tag',
    about: 'reasoning begins behind the first opening tag',
  },
  {
    engines: ['trtllm'],
    parser: 'qwen3',
    place: 'before the opening think tag',
    about: 'the parser looks for the opening tag and begins there',
  },
  {
    engines: ['trtllm'],
    parser: 'deepseek_r1',
    place: 'before the opening think tag',
    about: 'with thinking off the parser looks for the opening tag and begins there',
  },
  {
    engines: ALL,
    parser: 'json',
    place: 'beside calls, behind the first opened',
    about: 'content is what precedes the first call',
  },
  {
    engines: ALL,
    parser: 'json',
    place: 'a key that no call has',
    about: 'only name and arguments are read',
  },
  {
    engines: ['trtllm'],
    parser: 'json',
    place: 'a block that is no call',
    about: 'a bad block beside a good one is skipped',
  },
  {
    engines: ['trtllm'],
    parser: 'json',
    place: 'a call without a name',
    about: 'a block without a name beside a good one is skipped',
  },
  {
    engines: ['trtllm'],
    parser: 'json',
    place: 'a call without its end',
    about: 'a last call without its closing tag beside a good one is skipped',
  },
  {
    engines: ['trtllm'],
    parser: 'json',
    place: 'a call on one line',
    about: 'a call without newlines inside its tags beside a good one is skipped',
  },
  {
    engines: VLLM,
    parser: 'llama',
    place: 'beside calls, before the first',
    about: 'content is null beside calls',
  },
  {
    engines: VLLM,
    parser: 'llama',
    place: 'beside calls, behind the first opened',
    about: 'content is null beside calls',
  },
  {
    engines: VLLM,
    parser: 'llama',
    place: 'a key that no call has',
    about: 'only name and arguments are read',
  },
  {
    engines: VLLM,
    parser: 'xml',
    place: 'beside calls, behind the first opened',
    about: 'content is what precedes the first call',
  },
  {
    engines: ALL,
    parser: 'xml',
    place: 'beside the functions of a block',
    about: 'a block is read for its functions only',
  },
  {
    engines: ALL,
    parser: 'xml',
    place: 'beside the parameters of a function',
    about: 'a function is read for its parameters only',
  },
  {
    engines: VLLM,
    parser: 'xml',
    place: 'a value without its end',
    about: 'a last parameter without its closing tag is no parameter',
  },
];
