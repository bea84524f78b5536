import { describe, expect, test } from 'vitest';
import { TRTLLM_TOOLS, toolsQwen3Trtllm } from './tools-trtllm.ts';

const call = (json: string, open = '<tool_call>\n', close = '\n</tool_call>'): string => open + json + close;
const OSLO = '{"name": "get_weather", "arguments": {"city": "Oslo"}}';
const DATE = '{"name": "date", "arguments": {}}';
const oslo = { name: 'get_weather', arguments: '{"city": "Oslo"}' };
const date = { name: 'date', arguments: '{}' };

type Parsed = [what: string, text: string, content: string | null, calls: unknown[]];

const PARSED: Parsed[] = [
  ['one call', call(OSLO), null, [oslo]],
  ['parallel calls', `${call(OSLO)}\n${call(DATE)}`, null, [oslo, date]],
  ['blanks around the JSON', call(` ${OSLO} \n`), null, [oslo]],
  ['text before, stripped', `\n\nLet me look.\n\n${call(OSLO)}`, 'Let me look.', [oslo]],
  ['text after, dropped', `${call(OSLO)}\nDone.`, null, [oslo]],
  ['text between, dropped', `One. ${call(OSLO)} Two. ${call(DATE)}`, 'One.', [oslo, date]],
  ['blanks before, which become null', ` \n\t\u001c ${call(OSLO)}`, null, [oslo]],
  ['a bad block behind a good one, skipped', call(OSLO) + call('{bad}'), null, [oslo]],
  ['a bad block in front of a good one, skipped', call('{bad}') + call(OSLO), null, [oslo]],
  ['a block without a name, skipped', call('{"arguments": {}}') + call(OSLO), null, [oslo]],
  ['a tail that never ends, lost', `${call(OSLO)}<tool_call>\n{"name": "da`, null, [oslo]],
  ['a list, several calls', call(`[${OSLO}, ${DATE}]`), null, [oslo, date]],
  ['no arguments', call('{"name": "date"}'), null, [date]],
  ['parameters', call('{"name": "get_weather", "parameters": {"city": "Oslo"}}'), null, [oslo]],
  [
    'parameters over arguments',
    call('{"name":"date","parameters":{"a":1},"arguments":{}}'),
    null,
    [{ name: 'date', arguments: '{"a": 1}' }],
  ],
  [
    'empty parameters under arguments',
    call('{"name":"date","parameters":{},"arguments":[1]}'),
    null,
    [{ name: 'date', arguments: '[1]' }],
  ],
  ['empty parameters alone', call('{"name":"date","parameters":{}}'), null, [date]],
  [
    'arguments that are null',
    call('{"name":"date","arguments":null}'),
    null,
    [{ name: 'date', arguments: 'null' }],
  ],
  [
    'arguments that are text',
    call('{"name":"date","arguments":"{}"}'),
    null,
    [{ name: 'date', arguments: '"{}"' }],
  ],
  ['a name no tool has', call('{"name":"rm","arguments":{}}'), null, [{ name: 'rm', arguments: '{}' }]],
  [
    'half a surrogate pair, on which the server fails later',
    call('{"name":"f","arguments":{"a":"\\ud83d"}}'),
    null,
    [{ name: 'f', arguments: '{"a": "\ud83d"}' }],
  ],
  ['a call behind an opening tag without its line', `<tool_call>x ${call(OSLO)}`, '<tool_call>x', [oslo]],
];

const UNPARSED: [what: string, text: string][] = [
  ['text without a call', '\n\nFour.'],
  ['bare JSON', OSLO],
  ['bad JSON', call('{bad json}')],
  ['a call without newlines', call(OSLO, '<tool_call>', '</tool_call>')],
  ['a call without a newline before its end', call(OSLO, '<tool_call>\n', '</tool_call>')],
  [
    'two calls, the first without a newline before its end',
    `${call(OSLO, '<tool_call>\n', '</tool_call>')}\n${call(DATE)}`,
  ],
  ['newlines of another system', call(OSLO, '<tool_call>\r\n', '\r\n</tool_call>')],
  ['a call that never ends', call(OSLO, '<tool_call>\n', '')],
  ['an empty name', call('{"name": "", "arguments": {}}')],
  ['the tag form', call('<function=date>\n</function>')],
  ['an end tag in an argument', call('{"name": "f", "arguments": {"a": "x\n</tool_call>"}}')],
];

const FAILING: [what: string, json: string][] = [
  ['a text', '"get_weather"'],
  ['a number', '5'],
  ['null', 'null'],
  ['a list with a text in it', `[${OSLO}, "x"]`],
  ['a name that is a number', '{"name": 5}'],
  ['a name that is a list', '{"name": ["f"]}'],
];

describe('the qwen3 parser reads', () => {
  test.each(PARSED)('%s', (_, text, content, calls) => {
    expect(toolsQwen3Trtllm(text)).toEqual({ content, calls });
  });
});

describe('the qwen3 parser leaves the whole text in content for', () => {
  test.each(UNPARSED)('%s', (_, text) => {
    expect(toolsQwen3Trtllm(text)).toEqual({ content: text, calls: [] });
  });
});

describe('the qwen3 parser fails on', () => {
  test.each(FAILING)('%s, even beside a good call', (_, json) => {
    expect(() => toolsQwen3Trtllm(call(OSLO) + call(json))).toThrow(/that is no (object|text)/);
  });
});

test('a parser has its own mark of a call', () => {
  const inline = call(OSLO, '<tool_call>', '</tool_call>');
  expect([TRTLLM_TOOLS.qwen3.hasCall(inline), TRTLLM_TOOLS.qwen3.hasCall(call(''))]).toEqual([false, true]);
  expect([TRTLLM_TOOLS.qwen3_coder.hasCall(inline), TRTLLM_TOOLS.qwen3_coder.hasCall('x')]).toEqual([
    true,
    false,
  ]);
});
