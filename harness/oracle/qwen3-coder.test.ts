import { describe, expect, test } from 'vitest';
import { toolsQwen3CoderTrtllm } from './tools-trtllm.ts';

type Parsed = [what: string, text: string, content: string | null, calls: unknown[]];

const call = (body: string): string => `<tool_call>\n${body}\n</tool_call>`;
const oslo = { name: 'get_weather', arguments: '{"city": "Oslo"}' };
const date = { name: 'date', arguments: '{}' };
const fn = (name: string, body = ''): string => `<function=${name}>\n${body}</function>`;
const parameter = (name: string, value: string): string => `<parameter=${name}>\n${value}\n</parameter>\n`;
const get = fn('get_weather', parameter('city', 'Oslo'));

const CODER: Parsed[] = [
  ['one call', call(get), null, [oslo]],
  ['two functions in one block', call(get + fn('date')), null, [oslo, date]],
  [
    'text around and between, joined and stripped',
    ` A${call(get)} B${call(fn('date'))} C `,
    'A B C',
    [oslo, date],
  ],
  [
    'a block that never ends, as text',
    `${call(get)} x<tool_call>\n<function=f>`,
    'x<tool_call>\n<function=f>',
    [oslo],
  ],
  [
    'a function without its end',
    call('<function=get_weather>\n<parameter=city>\nOslo\n</parameter>'),
    null,
    [oslo],
  ],
  [
    'a parameter without its end',
    call(`<function=f>\n<parameter=a>\n1\n</function>`),
    null,
    [{ name: 'f', arguments: '{"a": 1}' }],
  ],
  ['a head that never ends, skipped', call(`<function=f</function>${get}`), null, [oslo]],
  [
    'a repeated parameter',
    call(fn('f', parameter('a', '1') + parameter('b', '2') + parameter('a', '3'))),
    null,
    [{ name: 'f', arguments: '{"a": 3, "b": 2}' }],
  ],
  [
    'blanks in a text, inside kept and outside not',
    call(fn('f', parameter('a', '  if x:\n    y\n'))),
    null,
    [{ name: 'f', arguments: '{"a": "if x:\\n    y"}' }],
  ],
  [
    'a value JSON has no form for, its function dropped',
    call(fn('f', parameter('a', '{1, 2}')) + get),
    null,
    [oslo],
  ],
];

describe('the qwen3_coder parser reads', () => {
  test.each(CODER)('%s', (_, text, content, calls) => {
    expect(toolsQwen3CoderTrtllm(text)).toEqual({ content, calls });
  });

  test.each([
    ['JSON in a block', call('{"name": "f"}')],
    ['no name', call(fn(''))],
    ['text', 'x'],
  ])('no call in %s', (_, text) => {
    expect(toolsQwen3CoderTrtllm(text)).toEqual({ content: text, calls: [] });
  });
});

/** What Python 3.11 printed for `json.dumps(_safe_val(text), ensure_ascii=False)`. */
const VALUES: [text: string, printed: string][] = [
  ['Oslo', '"Oslo"'],
  ['"Oslo"', '"Oslo"'],
  ["'Oslo'", '"Oslo"'],
  ['', '""'],
  ['  a  b ', '"a  b"'],
  ['01', '"01"'],
  ['00', '0'],
  ['1_000', '1000'],
  ['0x1F', '31'],
  ['0b101', '5'],
  ['0o17', '15'],
  ['1.', '1.0'],
  ['.5', '0.5'],
  ['-.5', '-0.5'],
  ['1e5', '100000.0'],
  ['1.e3', '1000.0'],
  ['-0', '0'],
  ['- 1', '-1'],
  ['--1', '"--1"'],
  ['-True', '"-True"'],
  ['1-1', '"1-1"'],
  ['2024-10-15', '"2024-10-15"'],
  ['1.5.2', '"1.5.2"'],
  ['True', 'true'],
  ['true', 'true'],
  ['None', 'null'],
  ['null', 'null'],
  ['NaN', 'NaN'],
  ['1e999', 'Infinity'],
  ['9007199254740993', '9007199254740993'],
  ['{"a": 1, "a": 2}', '{"a": 2}'],
  ['(1, 2)', '[1, 2]'],
  ['1, 2', '[1, 2]'],
  ['1,', '[1]'],
  ['()', '[]'],
  ['(1)', '1'],
  ['(1,)', '[1]'],
  ['[1,,2]', '"[1,,2]"'],
  [
    "{'a': 1, 2: None, True: 3, None: 4, 1.5e5: 5}",
    '{"a": 1, "2": null, "true": 3, "null": 4, "150000.0": 5}',
  ],
  ["{'a': 1, 'b'}", "\"{'a': 1, 'b'}\""],
  ['[1, # c\n 2]', '[1, 2]'],
  ['1 # c', '1'],
  ['1\n2', '"1\\n2"'],
  ['\'a\' "b"', '"ab"'],
  ["'a\\n\\x41\\u00fc\\101\\q'", '"a\\nAüA\\\\q"'],
  ["r'a\\n'", '"a\\\\n"'],
  ["f'x'", '"f\'x\'"'],
  ["'''a\nb'''", '"a\\nb"'],
  ["'a\nb'", '"\'a\\nb\'"'],
  ["'\\\n'", '""'],
  ['&lt;b&gt; &amp;amp; &notit; &hellip; &#39;', '"<b> &amp; ¬it; … \'"'],
  ['&#x41; &#128; &#0; &#xD800; &nope; &copy', '"A € � � &nope; ©"'],
];

test.each(VALUES)('the qwen3_coder parser reads the value %j as Python does', (text, printed) => {
  const { calls } = toolsQwen3CoderTrtllm(call(fn('f', parameter('p', text))));
  expect(calls).toEqual([{ name: 'f', arguments: `{"p": ${printed}}` }]);
});

test.each(["b'x'", '...', '1j', 'set()', "{'a': {1}}"])(
  'Python reads %s, but JSON has no form for it',
  (text) => {
    expect(toolsQwen3CoderTrtllm(call(fn('f', parameter('p', text)))).calls).toEqual([]);
  },
);

test('brackets deeper than Python reads stay text', () => {
  const nested = (depth: number) => `${'('.repeat(depth)}1${')'.repeat(depth)}`;
  const read = (text: string) =>
    toolsQwen3CoderTrtllm(call(fn('f', parameter('p', text)))).calls[0]?.arguments;
  expect(read(nested(150))).toBe('{"p": 1}');
  expect(read(nested(100_000))).toBe(`{"p": "${nested(100_000)}"}`);
});
