interface Hint {
  sign: RegExp;
  /** What to do; `$1` is the first group of the sign. */
  advice: string;
}

/** Why servers of this kind usually fail to start, by what their logs say; the first that fits is told. */
const HINTS: readonly Hint[] = [
  {
    sign: /address already in use|EADDRINUSE/i,
    advice: 'the port is taken: stop what listens there, or let the lane use {port}',
  },
  {
    sign: /out of memory|Cannot allocate memory|No available memory for the cache blocks|less than desired GPU memory/i,
    advice:
      'not enough memory: free the device, or lower --gpu-memory-utilization, --max-model-len or the KV cache',
  },
  { sign: /unrecognized arguments: (.+)/, advice: 'the server does not know $1: compare with its version' },
  { sign: /invalid choice: (.+)/, advice: 'a value that the server does not know: $1' },
  {
    sign: /No module named '?([\w.]+)/,
    advice: 'the Python package $1 is missing where the command runs: install the engine there',
  },
  {
    sign: /(?:Invalid repository ID or local directory|Repo id must|is not a local folder|does not appear to have a file named|Repository Not Found)[^\n]*/i,
    advice: 'the model was not found: check `model.path` of the lane; nothing is downloaded',
  },
  {
    sign: /CUDA driver version is insufficient|no CUDA-capable device|Failed to infer device type/i,
    advice: 'no usable GPU: check the driver (nvidia-smi) and CUDA_VISIBLE_DEVICES in `keep_env`',
  },
  {
    sign: /GLIBC(?:XX)?_[\d.]+' not found|cannot open shared object file/i,
    advice: 'a system library is missing or too old for this build of the engine',
  },
];

/** What to do about an early exit; undefined where the log gives no known reason. */
export function hintFor(lines: readonly string[]): string | undefined {
  for (const { sign, advice } of HINTS) {
    for (const line of lines.toReversed()) {
      const found = sign.exec(line);
      if (found) return advice.replace('$1', () => found[1] ?? '');
    }
  }
  return undefined;
}
