import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { History } from '../domain.ts';
import type { EmbeddedServer } from '../embedded/server.ts';
import { loadTokenizer } from '../oracle/tokenizer.ts';
import { projectAt } from '../project.ts';
import type { Results } from '../schemas/types.ts';
import { type Generated, type Relayed, relay, tokenProject, tokenServer } from '../testing/token-server.ts';
import { execute } from './execute.ts';
import { type Plan, planRun } from './plan.ts';

/** Token lanes against servers of our own: each defect must be red where it is. commands/tokens.test.ts has the command line. */
let server: EmbeddedServer;
beforeAll(async () => {
  server = await tokenServer();
});
afterAll(() => server.close());
afterEach(() => delete process.env.PARITY_TOKENS_URL);

function planned(url: string, cwd: string, history?: History): Plan {
  process.env.PARITY_TOKENS_URL = url;
  return planRun(projectAt(cwd), { patterns: [], lanes: ['attach-tokens'], history, goldens: 'required' });
}

async function played(url: string, cwd = tokenProject()): Promise<Results> {
  const options = { out: join(cwd, 'run'), continuation: 'own', command: ['run'], suite: false } as const;
  return (await execute(planned(url, cwd), options)).results;
}

const choice = (answer: Generated): Generated['choices'][number] =>
  answer.choices[0] ?? { finish_reason: null, logprobs: { content: [] } };
/** A change to the answer to one turn. */
const at =
  (turn: number, change: (answer: Generated) => void): Relayed =>
  (answer, asked) => {
    if (asked === turn) change(answer);
    return answer;
  };

const DEFECTS: [name: string, change: Relayed, where: string][] = [
  [
    'a flipped id',
    at(2, (answer) => {
      const { token_ids: ids = [], logprobs } = choice(answer);
      ids[3] = 1;
      if (logprobs.content[3]) logprobs.content[3].token_id = 1;
    }),
    '2  generation_token_ids',
  ],
  [
    'a terminal stop id that is cut off',
    at(3, (answer) => {
      choice(answer).token_ids?.pop();
      choice(answer).logprobs.content.pop();
    }),
    '3  generation_token_ids',
  ],
  [
    'a finish reason that calls would hide',
    at(1, (answer) => Object.assign(choice(answer), { finish_reason: 'length' })),
    '1  finish_reason',
  ],
  [
    'no finish reason',
    at(2, (answer) => Object.assign(choice(answer), { finish_reason: undefined })),
    '2  finish_reason',
  ],
  [
    'another prompt than the one that was sent',
    at(3, (answer) => answer.prompt_token_ids?.splice(-2, 1)),
    '3  prompt_token_ids',
  ],
  ['usage off by one', at(2, (answer) => answer.usage.prompt_tokens++), '2  usage'],
  ['a log-prob missing', at(2, (answer) => choice(answer).logprobs.content.pop()), '2  logprobs'],
  ['ids missing', at(2, (answer) => delete choice(answer).token_ids), '2  generation_token_ids'],
  [
    'log-probs of other ids',
    at(2, (answer) => Object.assign(choice(answer).logprobs.content[1] ?? {}, { token_id: 5 })),
    '2  http_status',
  ],
];

test.for(DEFECTS)('red at its turn and field: %s', async ([, change, where]) => {
  const { exitCode, findings } = await played(await relay(server, change));
  const first = findings.filter(({ followsFrom }) => followsFrom === undefined);
  expect(first.map(({ turn, field }) => `${turn}  ${field}`)).toEqual([where]);
  expect(exitCode).toBe(1);
});

const WRONG: [name: string, edit: (lane: string) => string, message: string, history?: History][] = [
  [
    'a token lane that says nothing of tokens',
    (lane) => lane.replace(/^tokens:\n( .*\n)+/m, ''),
    'a lane of the server kind tokens needs `tokens:`',
  ],
  [
    'another server kind with tokens',
    (lane) => lane.replace('server: tokens', 'server: vllm-serve'),
    '`tokens:` is not for the server kind vllm-serve',
  ],
  [
    'parsers the oracle does not know',
    (lane) => lane.replace('tool: hermes', 'tool: kimi'),
    "the oracle does not know nemo-rl-vllm's parsers kimi and qwen3",
  ],
  [
    'a history it has no projection for',
    (lane) => lane.replace(', rerendered: vllm-serve', ''),
    'the lane has no projection for rerendered prompts',
    'rerendered',
  ],
  [
    'an api nobody speaks',
    (lane) => lane.replace('vllm-generate', 'vllm-generates'),
    'tokens.api must be one of vllm-generate, vllm-completions, sglang, trtllm-completions',
  ],
];

test.for(WRONG)('a wrong lane is refused before anything runs: %s', ([, edit, message, history]) => {
  expect(() => planned('http://127.0.0.1:9', tokenProject(edit), history)).toThrow(message);
});

test('where the parsers fail on a reply, the ids that the server gave are still what is red', async () => {
  const bad = loadTokenizer().encode('<tool_call>\n[1]\n</tool_call>');
  const cwd = tokenProject((lane) =>
    lane.replace('spliced: nemo-rl-vllm', 'spliced: nemo-rl-trtllm').replace('tool: hermes', 'tool: qwen3'),
  );
  const change = at(2, (answer) => {
    choice(answer).token_ids = bad;
    choice(answer).logprobs.content.length = 0;
  });
  const { findings, exitCode } = await played(await relay(server, change), cwd);
  const [first] = findings.filter(({ followsFrom }) => followsFrom === undefined);
  // No parser has a say in ids; the scripted reply does.
  expect(first).toMatchObject({ turn: 2, field: 'generation_token_ids', index: 0, deviates: 'lane' });
  expect(exitCode).toBe(1);
});

/** Servers that have not run here, made of the emulated vLLM and the published shape of their answers. */
const OTHERS: [api: string, path: string, translate: (body: never) => unknown, answer: Relayed][] = [
  [
    'sglang',
    '/generate',
    ({ input_ids, sampling_params: { max_new_tokens, temperature } }: SglangAsked) => ({
      token_ids: input_ids,
      sampling_params: { max_tokens: max_new_tokens, temperature, logprobs: 1 },
    }),
    (answer) => {
      const { token_ids: ids = [], finish_reason, logprobs } = choice(answer);
      const finish =
        finish_reason === 'stop'
          ? { type: 'stop', matched: ids.at(-1) }
          : { type: 'length', length: ids.length };
      return {
        text: 'not looked at',
        output_ids: ids,
        meta_info: {
          id: 'x',
          finish_reason: finish,
          prompt_tokens: answer.usage.prompt_tokens,
          completion_tokens: answer.usage.completion_tokens,
          cached_tokens: 0,
          output_token_logprobs: logprobs.content.map((entry) => [entry.logprob, entry.token_id, null]),
        },
      };
    },
  ],
  [
    'trtllm-completions',
    '/v1/completions',
    ({ prompt, max_tokens, temperature, detokenize }: TrtllmAsked) => ({
      token_ids: detokenize === false ? prompt : [],
      sampling_params: { max_tokens, temperature, logprobs: 1 },
    }),
    (answer) => {
      const { token_ids: ids = [], finish_reason, logprobs } = choice(answer);
      return {
        id: 'cmpl-x',
        object: 'text_completion',
        created: 0,
        model: 'teleprompter-256',
        choices: [
          {
            index: 0,
            text: '',
            token_ids: ids,
            logprobs: {
              text_offset: ids.map(() => 0),
              token_logprobs: logprobs.content.map(({ logprob }) => logprob),
              tokens: ids.map(() => 'text'),
              top_logprobs: ids.map(() => ({ text: -1.5 })),
            },
            context_logits: null,
            finish_reason,
            stop_reason: null,
            disaggregated_params: null,
          },
        ],
        usage: { ...answer.usage, prompt_tokens_details: { cached_tokens: 0 } },
        prompt_token_ids: null,
      };
    },
  ],
];

interface SglangAsked {
  input_ids: number[];
  sampling_params: { max_new_tokens: number; temperature: number };
}
interface TrtllmAsked {
  prompt: number[];
  max_tokens: number;
  temperature: number;
  detokenize: boolean;
}

test.for(OTHERS)(
  '%s is spoken as its source has it, though never run against the real server',
  async ([api, path, translate, answer]) => {
    const seen = new Set<string | undefined>();
    const url = await relay(
      server,
      (generated, asked, request) => {
        seen.add(request.url);
        return answer(generated, asked, request);
      },
      translate as (body: unknown) => unknown, // what the lane sends, which requests.test.ts pins
    );
    const { status, message } = await played(
      url,
      tokenProject((lane) => lane.replace('vllm-generate', api)),
    );
    expect([status, message]).toEqual(['equal', undefined]);
    expect([...seen]).toEqual([path]);
  },
);
