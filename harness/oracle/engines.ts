import type { DialectName } from '../domain.ts';

/**
 * Engines whose parsers the oracle knows: vLLM 0.25.1 as NeMo-RL pins it, vLLM 0.32 as plain `vllm serve` runs it, and
 * TensorRT-LLM near 1.3.0rc21 behind NeMo-RL's server.
 */
export const ENGINES = ['vllm-0.25.1', 'vllm-0.32', 'trtllm'] as const;
export type Engine = (typeof ENGINES)[number];

/** Form in which a model writes calls: JSON between tags, tags throughout, or JSON alone. */
export type ToolForm = 'json' | 'xml' | 'llama';
export type ReasoningForm = 'qwen3' | 'deepseek_r1' | 'qwen3_5';

/** Parsers of an engine by their registered names (`vllm/tool_parsers`, `tensorrt_llm/serve/tool_parser`). */
const VLLM_TOOLS: Record<string, ToolForm> = {
  hermes: 'json',
  qwen3_coder: 'xml',
  qwen3_xml: 'xml',
  llama3_json: 'llama',
  llama4_json: 'llama',
};
const TOOLS: Record<Engine, Readonly<Record<string, ToolForm>>> = {
  'vllm-0.25.1': VLLM_TOOLS,
  'vllm-0.32': { ...VLLM_TOOLS, qwen3_json: 'json' },
  trtllm: { qwen3: 'json', qwen3_coder: 'xml' },
};
const REASONING: Record<Engine, Readonly<Record<string, ReasoningForm>>> = {
  'vllm-0.25.1': { qwen3: 'qwen3', deepseek_r1: 'deepseek_r1' },
  'vllm-0.32': { qwen3: 'qwen3', deepseek_r1: 'deepseek_r1' },
  trtllm: { qwen3: 'qwen3', 'deepseek-r1': 'deepseek_r1', qwen3_5: 'qwen3_5' },
};

/** Parser names as a lane spells them; `none` where the server has no parser. */
export interface ParserNames {
  tool: string;
  reasoning: string;
}

/** What a pair of parsers reads, whichever engine's names it was given by. */
export interface Forms {
  tool: ToolForm | null;
  reasoning: ReasoningForm | null;
}

/** What one engine's parsers of these names read; undefined for a name that the oracle does not know of that engine. */
export function formsOf(engine: Engine, names: ParserNames): Forms | undefined {
  const tool = formOf(TOOLS[engine], names.tool);
  const reasoning = formOf(REASONING[engine], names.reasoning);
  return tool === undefined || reasoning === undefined ? undefined : { tool, reasoning };
}

/** Whether an engine has parsers for these forms at all. */
export function hasParsers(engine: Engine, { tool, reasoning }: Forms): boolean {
  const has = (table: Readonly<Record<string, string>>, form: string | null): boolean =>
    form === null || Object.values(table).includes(form);
  return has(TOOLS[engine], tool) && has(REASONING[engine], reasoning);
}

function formOf<Form>(table: Readonly<Record<string, Form>>, name: string): Form | null | undefined {
  if (name === 'none') return null;
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/**
 * The engine behind a server kind; undefined where the oracle does not know what its chat layer does with a reply. `version` is
 * what the server said of itself, and without it a kind stands for the version that it is known by.
 */
export function engineOf(server: DialectName, version?: string): Engine | undefined {
  switch (server) {
    case 'nemo-rl-vllm':
      return vllmOf(version) ?? (version === undefined ? 'vllm-0.25.1' : undefined);
    case 'vllm-serve':
      return vllmOf(version) ?? (version === undefined ? 'vllm-0.32' : undefined);
    case 'nemo-rl-trtllm':
      return 'trtllm';
    case 'trtllm-serve':
    case 'tokens':
      return undefined;
  }
}

function vllmOf(version: string | undefined): Engine | undefined {
  if (version?.startsWith('0.25.')) return 'vllm-0.25.1';
  return version?.startsWith('0.32.') ? 'vllm-0.32' : undefined;
}
