import type { Waiver } from '../schemas/types.ts';

/** One row of the tables in README.md, cells as they are written. */
export interface Row {
  id: string;
  handling: string[];
  tests: string[];
}

/** What the rows may name. */
export interface Known {
  rows: readonly string[];
  /** `file: title`, files below harness/. */
  tests: ReadonlySet<string>;
  /** Names of the scenarios that both servers have goldens of. */
  scenarios: ReadonlySet<string>;
  fields: ReadonlySet<string>;
  normalisers: ReadonlySet<string>;
  /** Where a cause is listed, as `scenario: field`. */
  causes: ReadonlyMap<string, ReadonlySet<string>>;
  waivers: readonly Pick<Waiver, 'scenario' | 'field'>[];
}

/** The rows of all tables whose first cell is a number, or `m` and a number. The last two cells are handling and tests. */
export function rowsOf(markdown: string): Row[] {
  return markdown.split('\n').flatMap((line) => {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
    const [, id = ''] = cells;
    if (!/^m?\d+(\.\d+)?$/.test(id)) return [];
    const [handling = '', tests = ''] = cells.slice(-3);
    return [{ id, handling: handling.split('; '), tests: tests.match(/(?<=`)[^`]+(?=`(<br>|$))/g) ?? [] }];
  });
}

/** Everything that is wrong with the table, a sentence each. */
export function tableFaults(markdown: string, known: Known): string[] {
  const rows = rowsOf(markdown);
  return [
    ...numberFaults(rows, known),
    ...rows.flatMap((row) => rowFaults(row, known)),
    ...unexplained(rows, known),
  ];
}

function numberFaults(rows: readonly Row[], known: Known): string[] {
  const ids = rows.map(({ id }) => id);
  return [
    ...known.rows.filter((id) => !ids.includes(id)).map((id) => `row ${id} is missing`),
    ...ids.filter((id) => !known.rows.includes(id)).map((id) => `row ${id} is unknown`),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `row ${id} is there twice`),
  ];
}

function rowFaults({ id, handling, tests }: Row, known: Known): string[] {
  const scenarioTests = tests.filter((name) => name.startsWith('scenarios/')).map((name) => name.slice(10));
  const faults = handling.map((words) => handlingFault(words, scenarioTests, known));
  if (tests.length === 0) faults.push('names no test');
  for (const name of tests) {
    const [, scenario, field] = /^scenarios\/(\S+): (\w+)$/.exec(name) ?? [];
    const there =
      scenario === undefined || field === undefined
        ? known.tests.has(name)
        : known.scenarios.has(scenario) && known.fields.has(field);
    if (!there) faults.push(`there is no '${name}'`);
  }
  return faults.filter((fault) => fault !== undefined).map((fault) => `row ${id}: ${fault}`);
}

function handlingFault(words: string, places: readonly string[], known: Known): string | undefined {
  const [, kind = '', name = ''] = /^([a-z ]+?)(?::? `([^`]+)`|: .+)?$/.exec(words) ?? [];
  switch (kind) {
    case 'asked alike':
      return undefined;
    case 'not reached':
      return words.includes(': ') ? undefined : 'says not why it is not reached';
    case 'normalised':
      return known.normalisers.has(name) ? undefined : `there is no normaliser '${name}'`;
    case 'verdict':
      return known.fields.has(name) ? undefined : `there is no field '${name}'`;
    case 'listed difference': {
      const listed = known.causes.get(name);
      if (!listed) return `there is no listed difference '${name}'`;
      return places.some((place) => listed.has(place))
        ? undefined
        : `names no place where '${name}' is listed`;
    }
    case 'waived':
      return known.waivers.some(({ scenario, field }) => places.includes(`${scenario}: ${field}`))
        ? undefined
        : 'names no place that is waived';
    default:
      return `'${words}' is no way to handle a difference`;
  }
}

/** What a run rests on without a row that says why. */
function unexplained(rows: readonly Row[], known: Known): string[] {
  const handled = new Set(rows.flatMap(({ handling }) => handling));
  const waived = new Set(rows.flatMap(({ handling, tests }) => (handling.includes('waived') ? tests : [])));
  return [
    ...[...known.causes.keys()]
      .filter((cause) => !handled.has(`listed difference \`${cause}\``))
      .map((cause) => `no row names the listed difference '${cause}'`),
    ...known.waivers
      .filter(({ scenario, field }) => !waived.has(`scenarios/${scenario}: ${field}`))
      .map(({ scenario, field }) => `no row names the waiver of ${field} in ${scenario}`),
  ];
}
