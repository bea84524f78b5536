import { InvalidError } from '../errors.ts';
import type { Oracle } from '../oracle/oracle.ts';
import type { LoadedScenario } from '../scenario/scenario.ts';
import type { Golden } from '../schemas/types.ts';
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
  const drift = identityDrift(golden.identity, identityOf(scenario, oracle, script));
  if (drift.length === 0) return golden;
  throw new InvalidError(`recorded for another ${drift.join(', ')}`, {
    where: store.file(full),
    hint: `if the change is meant, record it again: parity record ${scenario.name} --update changed --reason "…"`,
  });
}
