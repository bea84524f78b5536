import { expect, onTestFinished, test } from 'vitest';
import { type ReplayingOptions, startReplayingServer } from './replaying.ts';
import { loadRealFault, realFaultNames, recordedAnswer } from './replaying-faults.ts';

const text = (body: string) => ({ status: 200, contentType: 'text/plain', body });

/** What a started server answers to a POST, as `status type body`. */
async function replaying(options: ReplayingOptions) {
  const server = await startReplayingServer(options);
  onTestFinished(() => server.close());
  return async (body: string, path = '/v1/chat/completions'): Promise<string> => {
    const response = await fetch(server.url + path, { method: 'POST', body });
    return `${response.status} ${response.headers.get('content-type')} ${await response.text()}`;
  };
}

const asked = (...roles: string[]): string => JSON.stringify({ messages: roles.map((role) => ({ role })) });

test('a request gets the answer of its turn, however often it is asked', async () => {
  const ask = await replaying({
    server: 'nemo-rl-vllm',
    answers: [text('one'), { ...text('two'), status: 418 }],
  });
  expect(await ask(asked('system', 'user'))).toBe('200 text/plain one');
  expect(await ask(asked('user', 'assistant', 'tool'))).toBe('418 text/plain two');
  expect(await ask(asked('user'))).toBe('200 text/plain one');
});

test('what is not recorded is a 404 that says so', async () => {
  const ask = await replaying({ server: 'nemo-rl-vllm', answers: [text('one')] });
  const missing = (what: string) =>
    `404 text/plain; charset=utf-8 parity-replaying: no answer is recorded for ${what}`;
  expect(await ask(asked('user', 'assistant', 'user'))).toBe(missing('turn 2; 1 turns are'));
  expect(await ask('not JSON')).toBe(missing('a request without messages'));
  expect(await ask('{}', '/tokenize')).toBe(missing('POST /tokenize'));
});

test.for(realFaultNames())('%s: what it calls recorded are the bytes of a recording', (name) => {
  const fault = loadRealFault(name);
  expect(fault.name).toBe(name);
  const scenario = fault.project[`scenarios/faults/${name}.yaml`];
  expect(scenario).toContain(`name: faults/${name}\n`);
  let recorded = 0;
  for (const { recorded: source, ...answer } of [...fault.answers, ...(fault.mended ?? [])]) {
    if (source === undefined) continue;
    recorded++;
    expect(answer).toEqual(recordedAnswer(source));
  }
  if (recorded < fault.answers.length) expect(fault.source).toMatch(/reconstructed/i);
});
