/** How every emulation begins its `server` header. */
export const EMULATION = 'parity-embedded';

/** Server kinds that are emulated. */
export const SERVER_KINDS = ['nemo-rl-vllm', 'nemo-rl-trtllm', 'vllm-serve'] as const;
export type ServerKind = (typeof SERVER_KINDS)[number];

export const isServerKind = (name: string): name is ServerKind => SERVER_KINDS.some((kind) => kind === name);

/** The servers with vLLM inside. */
export const VLLM: readonly ServerKind[] = ['nemo-rl-vllm', 'vllm-serve'];
/** The servers that splice carried ids into the prompt. */
export const NEMO_RL: readonly ServerKind[] = ['nemo-rl-vllm', 'nemo-rl-trtllm'];
export const TRTLLM: readonly ServerKind[] = ['nemo-rl-trtllm'];
