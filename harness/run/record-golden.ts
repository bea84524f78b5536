import { judge } from '../compare/judge.ts';
import { waive } from '../compare/waive.ts';
import { foldCore, projectMessage, unfoldCore } from '../goldens/codec.ts';
import { identityDrift, identityOf } from '../goldens/identity.ts';
import type { Oracle } from '../oracle/oracle.ts';
import type { LoadedScenario } from '../scenario/scenario.ts';
import type { Golden, GoldenContext, Transcript } from '../schemas/types.ts';
import { version } from '../version.ts';
import { type Plan, type PlannedLane, scriptOf } from './plan.ts';

/** What became of one recording. */
export type Recorded =
  | { status: 'written' | 'unchanged' }
  | { status: 'refused'; why: string; faults: string[] };

/**
 * Writes the golden of a scenario that a lane played twice: a new token core, or this server kind's messages beside an existing
 * one. Refuses answers that contradict the core, the scenario, themselves or each other.
 */
export function recordGolden(
  scenario: LoadedScenario,
  lane: PlannedLane,
  passes: readonly (Transcript | undefined)[],
  plan: Plan,
  reason: string,
): Recorded {
  const refuse = (why: string, faults: string[] = []): Recorded => ({ status: 'refused', why, faults });
  const [first, second] = passes;
  if (!first?.complete || !second?.complete) {
    return refuse('not every turn was answered', unanswered([first, second]));
  }
  const key = { model: first.model, history: first.history, scenario: scenario.name };
  const existing = plan.store.exists(key) ? plan.store.load(key) : undefined;
  const identity = identityOf(scenario, lane.oracle, scriptOf(lane.loaded, plan.project, lane.oracle));
  const current = existing && identityDrift(existing.identity, identity).length === 0 ? existing : undefined;
  if (!current && first.eos === 'trimmed') {
    return refuse('its token core is not recorded yet; record a lane that keeps the terminal stop id first');
  }
  // Another server kind adds its messages to the shared core, which must be the same bit for bit.
  const shared = current && current.context.server !== first.server ? current : undefined;
  const expected = shared && { core: unfoldCore(shared), messages: undefined };
  const judged = {
    transcript: first,
    expected: expected ?? { core: [], messages: undefined },
    ...judge({ transcript: first, expected, scenario: scenario.document, oracle: lane.oracle }),
  };
  const { assertions } = waive(judged, plan.waivers, new Set());
  const faults = assertions.flatMap(({ turn, field, outcome }) =>
    outcome.status === 'differs' ? [`turn ${turn} ${field}: ${outcome.difference.summary}`] : [],
  );
  if (faults.length > 0) {
    return refuse('the answers contradict the token core, themselves or the scenario', faults);
  }
  const make = (transcript: Transcript): Golden =>
    shared
      ? addProjection(shared, transcript, reason)
      : makeGolden(transcript, identity, lane.oracle, current, reason);
  const golden = make(first);
  if (!sameButContext(golden, make(second))) return refuse('two passes gave different answers');
  if (current && sameButContext(current, golden)) {
    if (first.emulated) return { status: 'unchanged' };
    // A real engine takes an emulation's place as the source; what another real engine recorded it confirms.
    const takesOver = current.context.emulated && current.context.server === first.server;
    plan.store.save(takesOver ? golden : confirm(current, first, reason));
    return { status: 'written' };
  }
  plan.store.save(golden);
  return { status: 'written' };
}

/** The turn at which each incomplete pass ended, and why. */
function unanswered(passes: readonly (Transcript | undefined)[]): string[] {
  return passes.flatMap((pass, index) => {
    if (pass?.complete) return [];
    const last = pass?.turns.at(-1);
    if (!last) return [`pass ${index + 1}: not played`];
    const status = last.http_status === undefined ? last.outcome : `status ${last.http_status}`;
    return [`pass ${index + 1}, turn ${last.turn}: ${status}: ${last.error ?? ''}`];
  });
}

function makeGolden(
  transcript: Transcript,
  identity: Golden['identity'],
  { tokenizer }: Oracle,
  before: Golden | undefined,
  reason: string,
): Golden {
  const turns = foldCore(transcript, tokenizer);
  // Other projections stay only while the tokens they are made of do.
  const kept = before && JSON.stringify(before.turns) === JSON.stringify(turns) ? before.projections : {};
  return {
    format: 1,
    scenario: transcript.scenario,
    model: transcript.model,
    history: transcript.history,
    identity,
    context: contextOf(transcript, reason),
    turns,
    projections: { ...kept, [transcript.server]: { turns: transcript.turns.map(projectMessage) } },
  };
}

function addProjection(golden: Golden, transcript: Transcript, reason: string): Golden {
  const projection = { context: contextOf(transcript, reason), turns: transcript.turns.map(projectMessage) };
  return { ...golden, projections: { ...golden.projections, [transcript.server]: projection } };
}

/** A real engine gave exactly this: the projection says which, in the words of the reason, and when. */
function confirm(golden: Golden, { server, lane }: Transcript, reason: string): Golden {
  const projection = golden.projections[server];
  if (!projection) return golden;
  const words = `${lane}: ${reason} (${new Date().toISOString().slice(0, 10)})`;
  const confirmed_by = [...new Set([...(projection.confirmed_by ?? []), words])];
  return { ...golden, projections: { ...golden.projections, [server]: { ...projection, confirmed_by } } };
}

const contextOf = ({ lane, server, emulated }: Transcript, reason: string): GoldenContext => ({
  lane,
  server,
  emulated,
  harness: version(),
  recorded_at: new Date().toISOString(),
  command: `parity ${process.argv.slice(2).join(' ')}`,
  reason,
});

/** Whether two goldens say the same; when and how they were recorded does not count, nor do log-probs. */
function sameButContext(a: Golden, b: Golden): boolean {
  const bare = ({ context: _, projections, ...golden }: Golden): string => {
    const messages = Object.entries(projections).map(([dialect, { turns }]) => [dialect, turns]);
    const turns = golden.turns.map(({ mean_logprob: _, ...turn }) => turn);
    return JSON.stringify({ ...golden, turns, messages });
  };
  return bare(a) === bare(b);
}
