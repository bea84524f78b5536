import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { differenceOf, loadRecording, masked, type RecordedExchange } from './recording.ts';

const folder = mkdtempSync(join(tmpdir(), 'recording-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a gzip recording keeps number spelling and key order of the request', () => {
  const path = join(folder, 'a.json.gz');
  const body = '{"temperature":0.0,"b":1,"a":9007199254740993}';
  const exchange =
    `{"n":3,"label":"l","method":"POST","path":"/tokenize","request_body":${body},` +
    '"status":200,"content_type":"application/json","response_body":"{}"}';
  writeFileSync(path, gzipSync(`{"name":"c","exchanges":[${exchange}]}`));
  expect(loadRecording(path)).toEqual({
    name: 'c',
    exchanges: [
      {
        n: 3,
        label: 'l',
        method: 'POST',
        path: '/tokenize',
        body,
        status: 200,
        contentType: 'application/json',
        answer: '{}',
      },
    ],
  });
});

test('a plain recording without method and path speaks of the chat route', () => {
  const path = join(folder, 'b.json');
  const exchange =
    '{"request_body":"not json","note":"raw","status":422,"headers":{"content-type":"x"},"response_body":""}';
  writeFileSync(path, `{"conversation":"c","exchanges":[${exchange}]}`);
  expect(loadRecording(path).exchanges).toEqual([
    {
      n: 1,
      label: 'raw',
      method: 'POST',
      path: '/v1/chat/completions',
      body: 'not json',
      status: 422,
      contentType: 'x',
      answer: '',
    },
  ]);
});

test('only ids, times and log-probs are masked, and only outside of strings', () => {
  const body =
    '{"id":"chatcmpl-0123456789abcdef","created":1,"x":[{"id":"chatcmpl-tool-0123456789abcdef"},{"id":"call_01234567"}],' +
    '"generation_log_probs":[-1.5,-1e-7],"logprob":-0.25,"text":"\\"id\\":\\"chatcmpl-0123456789abcdef\\""}';
  expect(masked(body)).toMatchInlineSnapshot(
    `"{"id":"chatcmpl-*","created":*,"x":[{"id":"chatcmpl-tool-*"},{"id":"call_*"}],"generation_log_probs":[*,*],"logprob":*,"text":"\\"id\\":\\"chatcmpl-0123456789abcdef\\""}"`,
  );
  expect(masked('{"id":"chatcmpl-abc"}')).toBe('{"id":"chatcmpl-abc"}');
});

describe('a difference is told by', () => {
  const recorded: RecordedExchange = {
    n: 1,
    label: '',
    method: 'POST',
    path: '/',
    body: '{}',
    status: 200,
    contentType: 'application/json',
    answer: '{"generation_log_probs":[-1.5,-1.5],"content":"a"}',
  };
  const same = { status: 200, contentType: 'application/json', body: recorded.answer };

  test('nothing where only masked values differ', () => {
    const body = '{"generation_log_probs":[-2.5,-0.5],"content":"a"}';
    expect(differenceOf(recorded, { ...same, body })).toBeUndefined();
  });

  test('the status first', () => {
    expect(differenceOf(recorded, { ...same, status: 500 })).toBe('status 200 became 500');
  });

  test('the content type', () => {
    expect(differenceOf(recorded, { ...same, contentType: 'text/plain' })).toBe(
      'content-type application/json became text/plain',
    );
  });

  test('the place in the body, also for one log-prob too few or a longer body', () => {
    const short = '{"generation_log_probs":[-1.5],"content":"a"}';
    expect(differenceOf(recorded, { ...same, body: short })).toBe(
      'body at 26: {"generation_log_probs":[*,*],"content":"a"} became {"generation_log_probs":[*],"content":"a"}',
    );
    expect(differenceOf(recorded, { ...same, body: `${recorded.answer} ` })).toContain('body at');
  });
});
