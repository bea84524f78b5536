/** What a starting engine is doing, as its log tells. */
export type Phase = 'starting' | 'loading' | 'warming' | 'ready';

const ORDER: readonly Phase[] = ['starting', 'loading', 'warming', 'ready'];

/** Lines of vLLM 0.25 to 0.32, SGLang and TensorRT-LLM that begin a phase. */
const SIGNS: readonly (readonly [Phase, RegExp])[] = [
  ['ready', /Application startup complete|Uvicorn running on|The server is fired up/],
  [
    'warming',
    /KV cache size|Graph capturing|Capturing CUDA graph|Warming up|Autotun|Capture cuda graph begin/,
  ],
  ['loading', /Starting to load model|Loading (safetensors|model|weights)|Load weight begin/],
];

/** The phase that a line of the log begins; undefined for any other line. A log never goes back. */
export function nextPhase(line: string, now: Phase): Phase | undefined {
  const found = SIGNS.find(([, sign]) => sign.test(line))?.[0];
  return found !== undefined && ORDER.indexOf(found) > ORDER.indexOf(now) ? found : undefined;
}
