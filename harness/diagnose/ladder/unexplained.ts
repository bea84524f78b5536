import type { Explained, Layer, Sides } from '../case.ts';
import { shown } from '../text.ts';

/** What is left when no step explains: the layer as far as it is known, and no cause. */
export function unexplained(found: Sides): Explained {
  const { field, difference } = found;
  const says = difference.summary;
  if (field === 'expect') {
    const layer = expectLayer(difference.expected, found);
    // Then nobody deviates: the scenario asks for what its golden does not have.
    return isAsExpected(found)
      ? {
          layer,
          says: `the answer is the golden's, so it is the scenario that differs: ${says}`,
          side: 'unknown',
        }
      : { layer, says, side: 'lane' };
  }
  if (field === 'contiguity') return { layer: 'SPLICE', says, side: 'lane' };
  const unspelled = notSpelled(found);
  if (unspelled) return unspelled;
  if (field === 'reasoning') return { layer: 'REAS', says };
  if (field === 'tool_calls') return { layer: 'TOOL', says };
  if (field === 'conservation') {
    return { layer: (found.turn?.tool_calls ?? []).length > 0 ? 'TOOL' : 'REAS', says, side: 'lane' };
  }
  return { layer: 'UNKNOWN', says };
}

/** Prompt, generation and message are those of the other side. */
const isAsExpected = ({ prompt, generation, said, core }: Sides): boolean =>
  core !== undefined &&
  [prompt, generation, said].every(({ good, bad }) => JSON.stringify(good) === JSON.stringify(bad));

/** A field holds text that the ids do not spell: no parser makes text up, though it may take tags and blanks away. */
function notSpelled({ field, said, turn, speaker, oracle, names }: Sides): Explained | undefined {
  if (field !== 'content' && field !== 'reasoning' && field !== 'conservation') return undefined;
  const ids = turn?.generation_token_ids;
  const { bad, good } = said;
  if (!bad || !ids) return undefined;
  const bare = (text: string): string => text.replace(/<\/?(?:think|tool_call)>|\s+/g, '');
  const generated = bare(oracle.text(speaker.server, ids));
  const alien = (['content', 'reasoning'] as const).find((name) => {
    const text = bad[name] ?? '';
    return text !== (good?.[name] ?? '') && !generated.includes(bare(text));
  });
  if (!alien) return undefined;
  return {
    layer: 'DETOK',
    says: `${alien} holds text that the ids do not spell`,
    evidence: [`${alien} of ${names.bad}: ${shown(bad[alien] ?? '', 80)}`],
  };
}

/** What a scenario expects tells which layer failed to show it. */
function expectLayer(expected: unknown, { turn }: Sides): Layer {
  const key = typeof expected === 'object' && expected !== null ? Object.keys(expected)[0] : undefined;
  switch (key) {
    case 'prompt_includes':
      return 'TMPL';
    case 'generation_includes':
    case 'non_canonical':
      return 'NUM';
    case 'reasoning':
    case 'reasoning_includes':
      return 'REAS';
    case 'tool_calls':
    case 'arguments':
      return 'TOOL';
    case 'finish_reason':
      return 'SER';
    default:
      return (turn?.tool_calls ?? []).length > 0 ? 'TOOL' : 'REAS';
  }
}
