import { createHash } from 'node:crypto';
import type { Oracle } from '../oracle/oracle.ts';
import type { LoadedScenario } from '../scenario/scenario.ts';
import type { GoldenIdentity } from '../schemas/types.ts';
import { type Codebook, charFor } from '../teleprompter/codebook.ts';
import { scriptsOf } from '../teleprompter/script.ts';

/** What a scripted model adds to a golden's identity. */
export interface Script {
  lag: number;
  book: Codebook;
}

/** What a scenario's goldens rest on: the same identity must give the same ids. */
export function identityOf(
  scenario: LoadedScenario,
  oracle: Oracle,
  script: Script | undefined,
): GoldenIdentity {
  const identity: GoldenIdentity = {
    tokenizer: oracle.tokenizer.hash,
    template: oracle.template.hash,
    scenario: scenario.hash,
    sampling: JSON.stringify({ temperature: 0, top_p: 1, ...scenario.document.sampling }),
  };
  if (script) identity.codebook = scriptHash(scenario, oracle, script);
  return identity;
}

/** Only the entries a scenario uses count, so that appending to the codebook changes no golden. */
function scriptHash(scenario: LoadedScenario, oracle: Oracle, { lag, book }: Script): string {
  const chars = charFor(book);
  const used = new Set(scriptsOf(scenario, oracle.tokenizer).flat());
  const entries = [...used].sort((a, b) => a - b).map((id) => [id, chars.get(id) ?? null]);
  return createHash('sha256')
    .update(JSON.stringify({ lag, filler: book.filler, entries }))
    .digest('hex');
}

/** The parts in which two identities differ. */
export function identityDrift(golden: GoldenIdentity, now: GoldenIdentity): (keyof GoldenIdentity)[] {
  const keys = ['tokenizer', 'template', 'codebook', 'scenario', 'sampling'] as const;
  return keys.filter((key) => golden[key] !== now[key]);
}
