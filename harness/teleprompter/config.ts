import { END_OF_TEXT, EOS, VOCABULARY } from '../oracle/tokenizer.ts';
import { type Dtype, FORMATS } from './floats.ts';
import { SIZES } from './weights.ts';

/** `config.json`: transformers 4 reads `rope_theta` and `torch_dtype`, transformers 5 `rope_parameters` and `dtype`. */
export function modelConfig(dtype: Dtype): Record<string, unknown> {
  return {
    architectures: ['Qwen3ForCausalLM'],
    model_type: 'qwen3',
    vocab_size: VOCABULARY,
    hidden_size: SIZES.hidden,
    intermediate_size: SIZES.intermediate,
    num_hidden_layers: 1,
    num_attention_heads: SIZES.heads,
    num_key_value_heads: SIZES.heads,
    head_dim: SIZES.head,
    hidden_act: 'silu',
    rms_norm_eps: 1e-6,
    rope_theta: SIZES.rotaryBase,
    rope_parameters: { rope_theta: SIZES.rotaryBase, rope_type: 'default' },
    max_position_embeddings: 40_960,
    attention_bias: false,
    attention_dropout: 0,
    tie_word_embeddings: false,
    use_sliding_window: false,
    use_cache: true,
    initializer_range: 0.02,
    bos_token_id: END_OF_TEXT,
    eos_token_id: EOS,
    // The first version that knew Qwen3. Without one, transformers 5 warns that the tokenizer may be a broken Mistral one.
    transformers_version: '4.51.0',
    torch_dtype: FORMATS[dtype].torch,
    dtype: FORMATS[dtype].torch,
  };
}

/** `generation_config.json`: greedy, both ends of text; no sampling default that an engine could pick up. */
export const generationConfig = (): Record<string, unknown> => ({
  do_sample: false,
  eos_token_id: [EOS, END_OF_TEXT],
  pad_token_id: END_OF_TEXT,
  bos_token_id: END_OF_TEXT,
});
