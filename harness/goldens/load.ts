import { InvalidError } from '../errors.ts';
import type { Oracle } from '../oracle/oracle.ts';
import type { LoadedScenario } from '../scenario/scenario.ts';
import type { Golden, GoldenIdentity } from '../schemas/types.ts';
import { identityDrift, identityOf, type Script } from './identity.ts';
import type { GoldenKey, GoldenStore } from './store.ts';

/** A golden that may be compared with what a lane answers to this scenario now. Throws {@link InvalidError} otherwise. */
export function loadGolden(
  store: GoldenStore,
  scenario: LoadedScenario,
  key: Pick<GoldenKey, 'model' | 'history'>,
  oracle: Oracle,
  script: Script | undefined,
): Golden {
  const full = { ...key, scenario: scenario.name };
  const golden = store.load(full);
  requireFit(golden, scenario, oracle, script, store.file(full));
  return golden;
}

/** That a golden rests on what scenario, template, codebook and the rest are now. Throws {@link InvalidError} otherwise. */
export function requireFit(
  golden: Golden,
  scenario: LoadedScenario,
  oracle: Oracle,
  script: Script | undefined,
  file: string,
): void {
  requireTurns(golden, scenario, file);
  const now = identityOf(scenario, oracle, script);
  const drift = identityDrift(golden.identity, now);
  if (drift.length > 0) throw foreign(drift, golden.identity, now, scenario.name, file);
}

/** As far as a run folder tells: a recorded run is judged without the codebook it was played with. */
export function requireIdentity(
  golden: Golden,
  scenario: LoadedScenario,
  oracle: Oracle,
  file: string,
): void {
  requireTurns(golden, scenario, file);
  const now = identityOf(scenario, oracle, undefined);
  const drift = identityDrift(golden.identity, now);
  const known = drift.filter((part) => part !== 'codebook');
  if (known.length > 0) throw foreign(known, golden.identity, now, scenario.name, file);
}

/** A golden with fewer turns than its scenario would compare fewer. */
function requireTurns(golden: Golden, { name, document }: LoadedScenario, file: string): void {
  if (golden.turns.length === document.turns.length) return;
  throw new InvalidError(
    `has ${golden.turns.length} turns, the scenario ${name} has ${document.turns.length}`,
    {
      where: file,
      hint: 'goldens are recorded, not edited; restore it or record it again',
    },
  );
}

/** ENV, said before any token: which part of the set-up is another, by both values. */
function foreign(
  drift: readonly (keyof GoldenIdentity)[],
  golden: GoldenIdentity,
  now: GoldenIdentity,
  name: string,
  where: string,
): InvalidError {
  const parts = drift.map((part) => `${part}: golden ${short(golden[part])}, now ${short(now[part])}`);
  return new InvalidError(`ENV: recorded for another ${drift.join(', ')}`, {
    where,
    hint: `${parts.join('\n  ')}\n  if the change is meant, record it again: parity record ${name} --update changed --reason "…"`,
  });
}

const short = (value: string | undefined): string =>
  value === undefined ? 'none' : /^[0-9a-f]{64}$/.test(value) ? value.slice(0, 12) : value;
