import { expect, test } from 'vitest';
import type { EmbeddedOptions } from '../embedded/server.ts';
import type { Contact } from './first-contact.ts';
import { contactWith, prefilled } from './fixtures.ts';

type Given = Partial<EmbeddedOptions> & Pick<EmbeddedOptions, 'server'>;

const laneOf = (contact: Contact) => (contact.state === 'lane' ? contact.lane : contact.problem);

const shownOf = (contact: Contact, what: string): string | undefined =>
  contact.facts.find((fact) => fact.what === what)?.lines.join(' / ');

const FITS: [what: string, given: Given, lane: object][] = [
  [
    'the XML parser of vLLM',
    { server: 'nemo-rl-vllm', parsers: { tool: 'qwen3_coder', reasoning: 'qwen3' } },
    { server: 'nemo-rl-vllm', parsers: { tool: 'qwen3_coder', reasoning: 'qwen3' }, scenarios: ['xml'] },
  ],
  [
    'the XML parser of TRT-LLM',
    { server: 'nemo-rl-trtllm', parsers: { tool: 'qwen3_coder', reasoning: 'qwen3' } },
    { parsers: { tool: 'qwen3_coder', reasoning: 'qwen3' }, eos: 'trimmed', scenarios: ['xml'] },
  ],
  [
    'no parsers',
    { server: 'nemo-rl-vllm', parsers: { tool: null, reasoning: null } },
    { parsers: { tool: 'none', reasoning: 'none' } },
  ],
  [
    'a template of its own that opens the reasoning, on TRT-LLM',
    {
      server: 'nemo-rl-trtllm',
      chatTemplate: prefilled.source,
      parsers: { tool: 'qwen3', reasoning: 'deepseek-r1' },
    },
    {
      chat_template: prefilled.path,
      model: { name: 'teleprompter-256-prefilled', served_as: 'teleprompter-256' },
      parsers: { tool: 'qwen3', reasoning: 'deepseek-r1' },
      scenarios: ['prefilled'],
    },
  ],
  [
    'a template of its own that opens the reasoning, on vLLM',
    { server: 'nemo-rl-vllm', chatTemplate: prefilled.source },
    { chat_template: prefilled.path, scenarios: ['prefilled'] },
  ],
  [
    'another served name',
    { server: 'vllm-serve', model: 'org/Model-256', maxModelLen: 4096 },
    { model: { name: 'teleprompter-256', served_as: 'org/Model-256' }, max_model_len: 4096 },
  ],
  [
    'the long lag',
    { server: 'nemo-rl-trtllm', lag: 4096, model: 'teleprompter-4096' },
    { model: { name: 'teleprompter-4096', teleprompter: { lag: 4096 } } },
  ],
];

test.for(FITS)('a server with %s gets a lane that says so', async ([, given, lane]) => {
  expect(laneOf(await contactWith(given))).toMatchObject(lane);
});

test('another training pair than greedy is found, named, and fits no lane', async () => {
  const contact = await contactWith({
    server: 'nemo-rl-vllm',
    sampling: { train: { temperature: 1, top_p: 1 }, validation: { temperature: 0.6, top_p: 0.95 } },
  });
  expect(laneOf(contact)).toMatchInlineSnapshot(
    `"temperature 0.0, top_p 1.0 is refused (500 text/plain that is no JSON), and every lane asks so; start the server with that pair"`,
  );
  expect(shownOf(contact, 'server kind')).toContain('nemo-rl-vllm');
  expect(shownOf(contact, 'sampling gate')).toContain(
    'accepted: temperature 1.0, top_p 1.0 | temperature 0.6, top_p 0.95 | top_k -1 |',
  );
});

test('an unknown template is not taken for the known one', async () => {
  const contact = await contactWith({
    server: 'nemo-rl-vllm',
    chatTemplate: `${prefilled.source}{{ '' }}`.replace('assistant\\n<think>', 'assistant\\nHm.<think>'),
  });
  expect(contact.facts.find(({ what }) => what === 'chat template')).toMatchInlineSnapshot(`
    {
      "basis": "assumed",
      "lines": [
        "the tokenizer's own",
        "yet prompt ids differ from our own rendering: another tokenizer, template or default variables",
      ],
      "what": "chat template",
    }
  `);
});
