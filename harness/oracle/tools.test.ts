import { describe, expect, test } from 'vitest';
import { toolsHermes } from './tools.ts';

const call = (json: string, open = '<tool_call>\n', close = '\n</tool_call>'): string => open + json + close;
const OSLO = '{"name": "get_weather", "arguments": {"city": "Oslo"}}';
const DATE = '{"name": "date", "arguments": {}}';
const oslo = { name: 'get_weather', arguments: '{"city": "Oslo"}' };
const date = { name: 'date', arguments: '{}' };

type Parsed = [what: string, text: string, content: string | null, calls: unknown[]];

const PARSED: Parsed[] = [
  ['one call', call(OSLO), null, [oslo]],
  ['parallel calls', `${call(OSLO)}\n${call(DATE)}`, null, [oslo, date]],
  ['a call without newlines', call(OSLO, '<tool_call>', '</tool_call>'), null, [oslo]],
  [
    'a first call without a newline before its end',
    call(OSLO, '<tool_call>', '</tool_call>') + call(DATE),
    null,
    [oslo, date],
  ],
  ['a last call without its end', call(OSLO, '<tool_call>\n', ''), null, [oslo]],
  ['text before, kept as it is', `\n\nLet me look.\n\n${call(OSLO)}`, '\n\nLet me look.\n\n', [oslo]],
  ['text on the same line', `Now:${call(OSLO)}`, 'Now:', [oslo]],
  ['text after, dropped', `${call(OSLO)}\nDone.`, null, [oslo]],
  ['text between, dropped', `One. ${call(OSLO)} Two. ${call(DATE)}`, 'One. ', [oslo, date]],
  ['blanks before, which become null', ` \n\t ${call(OSLO)}`, null, [oslo]],
  ['a blank that only Python strips', `\u001c\u0085${call(OSLO)}`, null, [oslo]],
  ['a blank that only JavaScript strips', `\uFEFF${call(OSLO)}`, '\uFEFF', [oslo]],
  ['an empty name', call('{"name": "", "arguments": {}}'), null, [{ name: '', arguments: '{}' }]],
  ['arguments first', call('{"arguments": {}, "name": "date"}'), null, [date]],
];

const ARGUMENTS: [what: string, json: string, printed: string][] = [
  ['compact separators', '{"city":"Oslo","days":1}', '{"city": "Oslo", "days": 1}'],
  ['numbers', '[1.0,1e3,1e-7,9007199254740993,-0]', '[1.0, 1000.0, 1e-07, 9007199254740993, 0]'],
  ['escapes', '"\\u00fcr\\/x \\ud83d\\ude00"', '"ür/x 😀"'],
  ['control characters', '"a\\u0001\\n"', '"a\\u0001\\n"'],
  ['a repeated key', '{"a":1,"b":2,"a":3}', '{"a": 3, "b": 2}'],
  ['keys that look like indexes', '{"2":0,"1":0}', '{"2": 0, "1": 0}'],
  ['a JSON string, which is printed as one', '"{\\"a\\":1}"', '"{\\"a\\":1}"'],
  ['null', 'null', 'null'],
  ['numbers that are no JSON', '[NaN,Infinity]', '[NaN, Infinity]'],
];

const UNPARSED: [what: string, text: string][] = [
  ['text without a call', '\n\nFour.'],
  ['bare JSON', OSLO],
  ['an end without a beginning', '</tool_call>'],
  ['bad JSON', call('{bad json}')],
  ['a trailing comma', call('{"name": "f", "arguments": {"a": 1,}}')],
  ['a bad block behind a good one', call(OSLO) + call('{bad}')],
  [
    'a block cut before its closing brace behind a good one',
    `${call(OSLO)}<tool_call>\n{"name": "date", "argu`,
  ],
  ['a block without arguments', call('{"name": "f"}')],
  ['parameters instead of arguments', call('{"name": "f", "parameters": {}}')],
  ['a block without a name', call('{"arguments": {}}')],
  ['a name that is no string', call('{"name": 1, "arguments": {}}')],
  ['a list in a block', call(`[${OSLO}]`)],
  ['a scalar in a block', call('"get_weather"')],
  ['an empty block', '<tool_call></tool_call>'],
  ['a nested opening tag', call(`<tool_call>${OSLO}`)],
  ['half a surrogate pair', call('{"name": "f", "arguments": {"a": "\\ud83d"}}')],
];

describe('the hermes tool parser reads', () => {
  test.each(PARSED)('%s', (_, text, content, calls) => {
    expect(toolsHermes(text)).toEqual({ content, calls });
  });
});

describe('the hermes tool parser prints arguments as Python does:', () => {
  test.each(ARGUMENTS)('%s', (_, json, printed) => {
    const { calls } = toolsHermes(call(`{"name": "f", "arguments": ${json}}`));
    expect(calls).toEqual([{ name: 'f', arguments: printed }]);
  });
});

describe('the hermes tool parser leaves the whole text in content for', () => {
  test.each(UNPARSED)('%s', (_, text) => {
    expect(toolsHermes(text)).toMatchObject({ content: text, calls: [] });
  });
});
