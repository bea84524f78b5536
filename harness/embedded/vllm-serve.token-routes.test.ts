import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { tokenServer } from '../testing/token-server.ts';
import { playRecordings } from './recording-play.ts';

/**
 * Real answers of vLLM 0.32.0's routes that take ids, asked again of the emulation. Every exchange that does not come back the
 * same is listed here with its reason; one that starts to differ, or stops to, fails.
 */
const DIFFERENT: Record<string, string> = {
  'e01_token_routes#11': 'the runner-up lies in the random codes of the checkpoint',
  'e01_token_routes#20': "pydantic's context of an exception is not emulated",
  'e01_token_routes#23': "nor is pydantic's union of two ways to build sampling parameters",
  'e01_token_routes#29': 'text beside ids is not emulated (501)',
  'e01_token_routes#30': 'nor are streams',
};

const folder = fileURLToPath(new URL('./recordings/vllm-serve-0.32-tokens/', import.meta.url));

test('every recorded exchange comes back as the real server answered it, the listed ones apart', async () => {
  const server = await tokenServer();
  const { same, different } = await playRecordings(folder, server.url).finally(() => server.close());
  const unlisted = Object.entries(different).filter(([name]) => !Object.hasOwn(DIFFERENT, name));
  expect(unlisted).toEqual([]);
  expect(Object.keys(different).sort()).toEqual(Object.keys(DIFFERENT).sort());
  expect(same).toBe(27);
});

test('without the flag that opens it, the route refuses in the words of the real server', async () => {
  const server = await tokenServer({ scaleOut: false });
  const response = await fetch(`${server.url}/inference/v1/generate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"token_ids":[1],"sampling_params":{}}',
  }).finally(() => server.close());
  expect(response.status).toBe(403);
  // Recorded from a server started without it.
  expect(await response.text()).toBe(
    '{"error":{"message":"Scale-out endpoints are disabled. Restart vllm serve with --enable-scale-out to enable them.","type":"PermissionDeniedError","param":null,"code":403}}',
  );
});
