import { judgeRun } from '../compare/judge-run.ts';
import { measuredLines } from '../diagnose/localised.ts';
import { withStop } from '../goldens/codec.ts';
import { isObject } from '../json/value.ts';
import type { Oracle } from '../oracle/oracle.ts';
import { sameIds } from '../oracle/same-ids.ts';
import type { ChatClient } from '../replay/client.ts';
import { askStages } from '../replay/localise.ts';
import type { RunFolder } from '../replay/run-folder.ts';
import type { Finding, Run, RunLane } from '../schemas/types.ts';
import type { Plan } from './plan.ts';

/** Findings that are asked about; a broken server would have thousands. */
const MAX_FINDINGS = 5;

/** What was measured about findings, by {@link placeOf}. */
export type Measured = Map<string, string[]>;

const placeOf = ({
  lane,
  scenario,
  turn,
  field,
}: Pick<Finding, 'lane' | 'scenario' | 'turn' | 'field'>): string => `${lane} ${scenario}:${turn} ${field}`;

/**
 * For `--localise`: judges what a lane has answered while its server still runs, and asks the server's stages about the first
 * findings in ids.
 */
export async function localiseLane(
  plan: Plan,
  folder: RunFolder,
  run: Run,
  { lane, client, signal }: { lane: RunLane; client: ChatClient; signal?: AbortSignal | undefined },
): Promise<Measured> {
  await folder.flush();
  const measured: Measured = new Map();
  const { scenarios } = judgeRun({ ...plan, folder, run: { ...run, lanes: [lane] } });
  for (const { transcript, assertions, expected, oracle } of scenarios) {
    for (const assertion of assertions) {
      const { turn, field, outcome } = assertion;
      const isIds = field === 'prompt_token_ids' || field === 'generation_token_ids';
      const core = expected.core[turn - 1];
      const entry = transcript.turns[turn - 1];
      if (!isIds || outcome.status !== 'differs' || !core || !entry) continue;
      if (measured.size === MAX_FINDINGS) return measured;
      const request = folder.readRequest(entry.exchange);
      if (!isObject(request)) continue;
      const answers = await askStages({
        client,
        model: String(request.get('model')),
        request,
        text: canonicalText(oracle, core.prompt),
        expected: { prompt: core.prompt, generation: withStop(core) },
        actual: { prompt: entry.prompt_token_ids ?? [], generation: entry.generation_token_ids ?? [] },
        maxTokens: entry.max_tokens,
        signal,
      });
      const prompts = field === 'prompt_token_ids' ? 'differ' : 'equal';
      measured.set(placeOf(assertion), measuredLines(answers, prompts));
    }
  }
  return measured;
}

/** The text of ids; undefined where it is not these ids again, as with words that a model spelled in pieces. */
function canonicalText({ tokenizer }: Oracle, ids: readonly number[]): string | undefined {
  const text = tokenizer.decode([...ids]);
  return sameIds(tokenizer.encode(text), ids) ? text : undefined;
}

/** Adds what was measured to the evidence of its findings. */
export function addMeasured(findings: readonly Finding[], measured: Measured): void {
  for (const finding of findings) {
    const lines = measured.get(placeOf(finding));
    if (lines) finding.evidence = [...(finding.evidence ?? []), ...lines];
  }
}
