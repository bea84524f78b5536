import { basename, relative } from 'node:path';
import type { Finding, Results } from '../schemas/types.ts';
import { printable } from './escape.ts';
import { type Decode, findingBlock } from './finding.ts';
import { brokenLines } from './wrap.ts';

/** Blocks printed in full; the others are counted. results.json has all of them. */
const MAX_BLOCKS = 10;

/** What a person reads after a run: findings first, then what was compared and on what it rests. */
export function terminalReport(results: Results, decode: Decode, folder: string): string[] {
  const shown = relative(process.cwd(), folder) || folder;
  const run = shown.startsWith('reports') ? basename(shown) : shown;
  const first = results.findings.filter(({ followsFrom }) => followsFrom === undefined);
  const lines = groupLines(results, first, decode, run);
  return [...lines, ...laneLines(results), ...summaryLines(results, first), `written     ${shown}`];
}

/** One block per cause: its smallest example, then where else it is. */
function groupLines({ groups }: Results, first: readonly Finding[], decode: Decode, run: string): string[] {
  const blocks = groups ? blocksOf(groups, first) : first.map((finding) => ({ finding, at: [] }));
  const lines = blocks
    .slice(0, MAX_BLOCKS)
    .flatMap(({ finding, at }) => [...findingBlock(finding, decode, run), ...alsoAt(at), '']);
  if (blocks.length > MAX_BLOCKS) lines.push(`… and ${blocks.length - MAX_BLOCKS} more causes`, '');
  return lines;
}

/** Groups with their example; of a report on some places only, those that are in it. */
function blocksOf(
  groups: NonNullable<Results['groups']>,
  first: readonly Finding[],
): { finding: Finding; at: string[] }[] {
  const keyOf = (lane: string, against: string | undefined, place: string): string =>
    [lane, against, place].join('\n');
  // One place may have several findings, such as two unlisted differences.
  const left = Map.groupBy(first, ({ lane, against, scenario, turn, field }) =>
    keyOf(lane, against, `${scenario}:${turn} ${field}`),
  );
  return groups.flatMap(({ lane, against, at }) => {
    const members = at.flatMap((place) => {
      const finding = left.get(keyOf(lane, against, place))?.shift();
      return finding ? [{ place, finding }] : [];
    });
    const [example, ...others] = members;
    return example ? [{ finding: example.finding, at: others.map(({ place }) => place) }] : [];
  });
}

/** Places named behind an example; results.json has all of them. */
const MAX_PLACES = 8;

function alsoAt(places: readonly string[]): string[] {
  if (places.length === 0) return [];
  const shown = places.slice(0, MAX_PLACES).map((place) => `    ${printable(place)}`);
  const more = places.length - shown.length;
  return [
    `  the same at ${count(places.length, 'more place')}:`,
    ...shown,
    ...(more > 0 ? [`    … and ${more} more`] : []),
  ];
}

function laneLines({ lanes }: Results): string[] {
  return lanes.flatMap(({ lane, emulated, state, scenarios, turns, assertions, oracleFields, message }) => {
    const label = emulated ? ' (emulated)' : '';
    const own = oracleFields ? `, ${oracleFields} of them our oracle's own` : '';
    if (state !== 'ready') return indented(`lane        ${lane}${label}: ${state}: ${message ?? ''}`);
    return `lane        ${lane}${label}: ${count(scenarios, 'scenario')}, ${count(turns, 'turn')}, ${count(assertions, 'field')} asserted${own}`;
  });
}

function summaryLines(results: Results, first: readonly Finding[]): string[] {
  const { totals, normalisers, differences, waivers, notCovered, logprobs = [], timings } = results;
  const follow = results.findings.length - first.length;
  const listed = differences.reduce((sum, use) => sum + use.count, 0);
  const uses = normalisers.map(({ name, version, count }) => `${name}@${version} ×${count}`);
  const lines = [
    `compared    ${totals.ids} ids (${totals.serverIds} of them the server's own), ${totals.bytes} bytes of text`,
    ...oracleLine(totals),
    `normalisers ${uses.join(', ')}`,
    `rests on    ${count(listed, 'listed difference')}, ${count(waivers.length, 'waiver')}`,
    ...causeLines(differences),
    ...waivers.flatMap((use) =>
      wrap(
        `${use.lane} ${use.scenario}:${use.turn} ${use.field}, until ${use.expires}, ${use.owner}: ${use.reason}`,
        'waived',
      ),
    ),
    ...(logprobs.length > 0
      ? [`log-probs   the mean differs from the golden's in ${count(logprobs.length, 'turn')} (not asserted)`]
      : []),
    ...notCovered.flatMap((line) => wrap(line, 'not covered')),
    timeLine(timings),
    `${verdictLine(results, first.length, follow)}`,
  ];
  return lines;
}

/** What a token lane's run counts apart. */
const oracleLine = ({ oracle }: Results['totals']): string[] =>
  oracle === undefined
    ? []
    : [
        `our oracle  ${oracle.fields} of the fields, and ${oracle.ids} ids and ${oracle.bytes} bytes more, are its own: no evidence about a server`,
      ];

/** Listed differences by cause: how often, in which fields, why. */
function causeLines(differences: Results['differences']): string[] {
  const causes = Map.groupBy(differences, ({ cause }) => cause);
  return [...causes].flatMap(([cause, uses]) => {
    const total = uses.reduce((sum, use) => sum + use.count, 0);
    const fields = uses.map(({ field }) => field).join(', ');
    return wrap(`${cause} (${fields}): ${uses[0]?.reason ?? ''}`, `${total} ×`);
  });
}

const WIDTH = 100;
const INDENT = 12;

/** A paragraph beside a label in the margin. */
function wrap(text: string, label: string): string[] {
  return brokenLines(printable(text), WIDTH - INDENT).map(
    (line, index) => (index === 0 ? label.padStart(INDENT - 2).padEnd(INDENT) : ' '.repeat(INDENT)) + line,
  );
}

/** A message of several lines, such as the end of a server's log. */
const indented = (message: string): string[] =>
  message.split('\n').map((line, index) => (index === 0 ? line : ' '.repeat(INDENT) + line));

/** Where the time went. The harness's own share is what neither a server that starts or stops nor a request took. */
function timeLine({ total_ms, launch_ms, wait_ms = 0, request_ms = 0, ...rest }: Results['timings']): string {
  const own = total_ms - wait_ms - request_ms;
  return `time        ${seconds(total_ms)}: launch ${seconds(launch_ms)}, wait ${seconds(wait_ms)}, request ${seconds(request_ms)}, compare ${seconds(rest.compare_ms)}, write ${seconds(rest.write_ms)}; the harness's own ${seconds(own)}`;
}

function verdictLine(
  { status, exitCode, message, groups = [] }: Results,
  first: number,
  follow: number,
): string {
  const label = status.toUpperCase().padEnd(11);
  if (status === 'equal') return `${label} ${message ?? 'every field of every turn equals its golden'}`;
  if (status === 'diverged') {
    const more = follow > 0 ? `, ${follow} more only follow` : '';
    const causes = groups.length > 0 && groups.length < first ? ` of ${count(groups.length, 'cause')}` : '';
    return `${label} ${count(first, 'finding')}${causes}${more} (exit ${exitCode})`;
  }
  const [line = ''] = (message ?? '').split('\n');
  return `${label} ${line} (exit ${exitCode})`;
}

const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
