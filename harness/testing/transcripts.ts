import type { Expected } from '../compare/judge.ts';
import { foldCore, projectMessage, unfoldCore } from '../goldens/codec.ts';
import { Oracle } from '../oracle/oracle.ts';
import type { ParsedMessage } from '../oracle/speaker.ts';
import { EOS } from '../oracle/tokenizer.ts';
import type { Golden, Scenario, Transcript, TranscriptTurn } from '../schemas/types.ts';

/** One oracle for all tests of a worker: the tokenizer is loaded once. */
export const oracle = new Oracle();
const { tokenizer } = oracle;

const SPEAKER = { server: 'nemo-rl-vllm', parsers: { tool: 'hermes', reasoning: 'qwen3' } } as const;
const EMPTY: ParsedMessage = { reasoning: null, content: null, calls: [] };
const SAYS = [
  '<think>\nLook it up.\n</think>\n\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Zürich"}}\n</tool_call>',
  '<think>\nTen.\n</think>\n\nIt is 10 degrees.',
];
const SENT = [
  { role: 'user', content: 'What is the weather in Zürich?' },
  { role: 'tool', content: '{"temp_c": 10}' },
];

export const scenario: Scenario = {
  name: 'tools/two-turns',
  about: 'a call, a result, an answer',
  exercises: ['one call'],
  turns: [{ user: SENT[0]?.content ?? '' }, { results: [SENT[1]?.content ?? ''] }],
};

/** A healthy two-turn transcript of a lane that keeps the terminal stop id, made by the oracle. */
export function healthyTranscript(): Transcript {
  const turns: TranscriptTurn[] = [];
  let seen: number[] = [];
  SAYS.forEach((say, index) => {
    const sent = SENT[index] ?? { role: 'user', content: '' };
    const message =
      sent.role === 'tool'
        ? `user\n<tool_response>\n${sent.content}\n</tool_response>`
        : `user\n${sent.content}`;
    const added = `${index === 0 ? '' : '\n'}<|im_start|>${message}<|im_end|>\n<|im_start|>assistant\n`;
    const prompt = [...seen, ...tokenizer.encode(added)];
    const generation = [...tokenizer.encode(say), EOS];
    seen = [...prompt, ...generation];
    const { reasoning, content, calls } =
      oracle.parse(SPEAKER, generation, { thinking: true, tools: true }) ?? EMPTY;
    const turn: TranscriptTurn = {
      turn: index + 1,
      exchange: `exchanges/lane/tools/two-turns/${index + 1}`,
      outcome: 'answered',
      http_status: 200,
      max_tokens: 64,
      sent: [sent],
      thinking: true,
      tools: true,
      prompt_token_ids: prompt,
      generation_token_ids: generation,
      content,
      reasoning,
      reasoning_field: 'reasoning',
      finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
      usage: {
        prompt_tokens: prompt.length,
        completion_tokens: generation.length,
        total_tokens: seen.length,
      },
      logprobs: generation.map(() => -1.5),
      timings: { sent_ms: 0, total_ms: 1 },
    };
    if (calls.length > 0)
      turn.tool_calls = calls.map((call) => ({ id: 'call_1', type: 'function', ...call }));
    turns.push(turn);
  });
  return {
    format: 1,
    lane: 'lane',
    server: 'nemo-rl-vllm',
    emulated: true,
    scenario: scenario.name,
    scenario_hash: 'x',
    model: 'teleprompter-256',
    history: 'spliced',
    continuation: 'own',
    eos: 'kept',
    parsers: { tool: 'hermes', reasoning: 'qwen3' },
    complete: true,
    turns,
  };
}

/** The golden that a healthy transcript gives. */
export function goldenOf(transcript: Transcript): Golden {
  return {
    format: 1,
    scenario: transcript.scenario,
    model: transcript.model,
    history: transcript.history,
    identity: { tokenizer: tokenizer.hash, template: oracle.template.hash, scenario: 'x', sampling: '{}' },
    context: {
      lane: transcript.lane,
      server: transcript.server,
      emulated: true,
      harness: '0',
      recorded_at: '2026-11-30T00:00:00.000Z',
      command: 'parity record',
      reason: 'test',
    },
    turns: foldCore(transcript, tokenizer),
    projections: { [transcript.server]: { turns: transcript.turns.map(projectMessage) } },
  };
}

export function expectedOf(golden: Golden): Expected {
  return { core: unfoldCore(golden), messages: golden.projections['nemo-rl-vllm']?.turns ?? [] };
}
