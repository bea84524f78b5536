import { describe, expect, test } from 'vitest';
import { parseJson } from '../json/parse.ts';
import type { Json } from '../json/value.ts';
import { type Opinion, saidBy } from './opinions.ts';
import { Oracle } from './oracle.ts';

const oracle = new Oracle();
const parsers = { tool: 'hermes', reasoning: 'qwen3' };
const mode = { thinking: true, tools: true };
const definitions = [
  parseJson(
    '{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"n":{"type":"integer"}}}}}',
  ),
];

const XML =
  '<tool_call>\n<function=f>\n<parameter=n>\n7\n</parameter>\n<parameter=s>\n  x\n</parameter>\n</function>\n</tool_call>';

/** Opinions as a reader sees them, one line per engine. */
const lines = (opinions: Opinion[]): string =>
  opinions
    .map(({ engine, sharedWithEmulation, ...outcome }) => {
      const said = outcome.outcome === 'message' ? JSON.stringify(outcome.message) : outcome.why;
      return `${engine}${sharedWithEmulation ? ' (shared)' : ''} ${outcome.outcome} ${said}`;
    })
    .join('\n');

describe('every engine has its own opinion on the same reply', () => {
  test('text after reasoning and before a call', () => {
    const text = 'Hm.</think>\n\nLook:\n<tool_call>\n{"name": "f", "arguments": {"n": 7}}\n</tool_call>';
    expect(`\n${lines(oracle.opinions(text, { parsers, ...mode }))}\n`).toMatchInlineSnapshot(`
      "
      vllm-0.25.1 (shared) message {"reasoning":"Hm.","content":"\\n\\nLook:\\n","calls":[{"name":"f","arguments":"{\\"n\\": 7}"}]}
      vllm-0.32 (shared) message {"reasoning":"Hm.","content":"\\n\\nLook:\\n","calls":[{"name":"f","arguments":"{\\"n\\": 7}"}]}
      trtllm (shared) message {"reasoning":"","content":"Hm.</think>\\n\\nLook:","calls":[{"name":"f","arguments":"{\\"n\\": 7}"}]}
      "
    `);
  });

  test('calls as tags, whose values one engine types by the schema', () => {
    const asked = { parsers: { tool: 'qwen3_coder', reasoning: 'none' }, ...mode, definitions };
    expect(`\n${lines(oracle.opinions(XML, asked))}\n`).toMatchInlineSnapshot(`
      "
      vllm-0.25.1 (shared) message {"reasoning":null,"content":null,"calls":[{"name":"f","arguments":"{\\"n\\": 7, \\"s\\": \\"x\\"}"}]}
      vllm-0.32 message {"reasoning":null,"content":null,"calls":[{"name":"f","arguments":"{\\"n\\": 7, \\"s\\": \\"  x\\"}"}]}
      trtllm (shared) message {"reasoning":"","content":null,"calls":[{"name":"f","arguments":"{\\"n\\": 7, \\"s\\": \\"x\\"}"}]}
      "
    `);
  });

  test('a scalar in a block, on which one server fails', () => {
    const text = '</think><tool_call>\n7\n</tool_call>';
    const asked = { parsers: { tool: 'hermes', reasoning: 'deepseek_r1' }, ...mode };
    expect(`\n${lines(oracle.opinions(text, asked))}\n`).toMatchInlineSnapshot(`
      "
      vllm-0.25.1 message {"reasoning":"","content":"<tool_call>\\n7\\n</tool_call>","calls":[]}
      vllm-0.32 message {"reasoning":"","content":"<tool_call>\\n7\\n</tool_call>","calls":[]}
      trtllm (shared) fails a call that is no object
      "
    `);
  });

  test('a parser that one engine does not have, and one that none has', () => {
    const text = '{"name": "f", "parameters": {}}';
    const llama = oracle.opinions(text, { parsers: { tool: 'llama3_json', reasoning: 'none' }, ...mode });
    expect(`\n${lines(llama)}\n`).toMatchInlineSnapshot(`
      "
      vllm-0.25.1 message {"reasoning":null,"content":null,"calls":[{"name":"f","arguments":"{}"}]}
      vllm-0.32 message {"reasoning":null,"content":null,"calls":[{"name":"f","arguments":"{}"}]}
      trtllm unknown trtllm has no parsers like llama3_json and none that the oracle knows
      "
    `);
    const strange = oracle.opinions(text, { parsers: { tool: 'pythonic', reasoning: 'none' }, ...mode });
    expect(new Set(strange.map(({ outcome }) => outcome))).toEqual(new Set(['unknown']));
  });
});

test('generated ids are detokenized by the rules of each engine', () => {
  const im_start = 151644;
  const [half = 0] = oracle.tokenizer.encode(' \u{1F9D1}');
  const ids = [...oracle.tokenizer.encode('a</think>b'), im_start, ...oracle.tokenizer.encode('c'), half];
  const contents = oracle
    .opinions(ids, { parsers, ...mode, tools: false })
    .map((opinion) => opinion.outcome === 'message' && opinion.message.content);
  expect(contents).toEqual(['b<|im_start|>c', 'bc', 'a</think>b<|im_start|>c \uFFFD']);
});

test('a message is traced to the engines that could have said it', () => {
  const text = '<think>a</think>b<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>';
  const opinions = oracle.opinions(text, { parsers, ...mode });
  const calls = [{ name: 'f', arguments: '{}' }];
  expect(saidBy({ reasoning: 'a', content: 'b', calls }, opinions)).toEqual([
    'vllm-0.25.1',
    'vllm-0.32',
    'trtllm',
  ]);
  expect(saidBy({ reasoning: 'a', content: 'b ', calls }, opinions)).toEqual([]);
});

test('tool definitions decide the opinion on calls as tags; without them there is none', () => {
  const speaker = { server: 'nemo-rl-vllm', parsers: { tool: 'qwen3_coder', reasoning: 'qwen3' } } as const;
  const said = `</think>${XML}`;
  const given: Json[] = definitions;
  expect(oracle.reply(speaker, said, mode)).toEqual({
    outcome: 'unknown',
    why: 'the definitions of the tools are not known',
  });
  expect(oracle.parse(speaker, said, { ...mode, definitions: given })?.calls).toEqual([
    { name: 'f', arguments: '{"n": 7, "s": "x"}' },
  ]);
});

test.each(['trtllm-serve', 'tokens'] as const)('there is no opinion on replies of %s', (server) => {
  expect(oracle.reply({ server, parsers }, 'x', mode).outcome).toBe('unknown');
});

test('the version that a server told decides which vLLM it is; an unknown one has no opinion', () => {
  const text = '</think>a<|im_start|>b';
  const content = (server: 'vllm-serve' | 'nemo-rl-vllm', version?: string): unknown =>
    oracle.parse({ server, parsers, version }, text, mode)?.content;
  expect([content('vllm-serve'), content('vllm-serve', '0.25.1')]).toEqual(['ab', 'a<|im_start|>b']);
  expect([content('nemo-rl-vllm'), content('nemo-rl-vllm', '0.32.0+cpu')]).toEqual(['a<|im_start|>b', 'ab']);
  expect(oracle.reply({ server: 'vllm-serve', parsers, version: '0.30.2' }, text, mode)).toEqual({
    outcome: 'unknown',
    why: 'the oracle does not know how vllm-serve 0.30.2 parses a reply',
  });
});
