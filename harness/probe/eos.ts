import type { DialectName } from '../domain.ts';
import { STOP_IDS } from '../oracle/tokenizer.ts';
import { assumed, type Fact, measured } from './fact.ts';
import { textAt } from './heard.ts';
import { idsOf, type Parts } from './ids.ts';
import type { Speech } from './scripted.ts';

export interface Eos {
  eos: 'kept' | 'trimmed';
  fact: Fact;
}

/** Whether generation ids end with the terminal stop id, by a reply that ended by itself. */
export function eosOf(server: DialectName, speech: Speech, stopped: Parts | undefined): Eos {
  const spoken = speech.kind === 'scripted' ? speech.spoken[0] : undefined;
  if (spoken) {
    const kept = spoken.generation.length === spoken.ids.length;
    return eos(kept, 'by a scripted reply');
  }
  const generation = stopped ? idsOf(stopped).generation : undefined;
  if (stopped && generation && textAt(stopped.choice, 'finish_reason') === 'stop') {
    // An id that is no stop id of Qwen3 may be one of another model: then this is a guess.
    if (STOP_IDS.has(generation.at(-1) ?? -1)) return eos(true, 'by a reply that ended by itself');
  }
  const usual = server === 'nemo-rl-trtllm' ? 'trimmed' : 'kept';
  const why = 'taken for granted by the server kind: no reply showed it';
  return { eos: usual, fact: assumed('terminal stop id', usual, why) };
}

const eos = (kept: boolean, how: string): Eos => ({
  eos: kept ? 'kept' : 'trimmed',
  fact: measured('terminal stop id', kept ? 'kept' : 'trimmed', how),
});
