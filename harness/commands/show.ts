import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { History } from '../domain.ts';
import { InvalidError } from '../errors.ts';
import { GoldenStore, readGolden } from '../goldens/store.ts';
import { loadTokenizer } from '../oracle/tokenizer.ts';
import { projectAt } from '../project.ts';
import { RunFolder } from '../replay/run-folder.ts';
import { goldenText } from '../report/golden-text.ts';
import { terminalReport } from '../report/terminal.ts';
import { writeOut } from '../report/write.ts';

export interface ShowOptions {
  history?: History;
  run?: string;
}

/** `parity show`: a golden as words, and with `--run` what the lanes of a run answered beside it. */
export function showCommand(target: string, { run, history }: ShowOptions): number {
  const project = projectAt();
  const tokenizer = loadTokenizer();
  const store = new GoldenStore(project.goldens, tokenizer);
  const [, name = target, turnText] = /^(.*?)(?::(\d+))?$/.exec(target) ?? [];
  const turn = turnText === undefined ? undefined : Number(turnText);
  const file = existsSync(name) ? name : undefined;
  const keys = store
    .list()
    .filter((key) => history === undefined || key.history === history)
    .filter((key) => (file ? join(store.file(key)) === join(file) : key.scenario === name));
  if (keys.length === 0 && file) {
    // A revision that git handed over as a temporary file: show it as it is, if it is a golden.
    writeOut(...goldenText(readGolden(file), turn));
    return 0;
  }
  if (keys.length === 0)
    throw new InvalidError(`no golden of '${name}'`, { hint: '`parity list` shows the scenarios' });
  for (const key of keys) writeOut(...goldenText(store.load(key), turn));
  if (run !== undefined) showRun(RunFolder.open(run, project.reports), name, turn);
  return 0;
}

function showRun(folder: RunFolder, scenario: string, turn: number | undefined): void {
  const tokenizer = loadTokenizer();
  for (const { lane } of folder.readRun().lanes) {
    if (!folder.hasTranscript(lane, scenario)) continue;
    for (const entry of folder.readTranscript(lane, scenario).turns) {
      if (turn !== undefined && entry.turn !== turn) continue;
      const { prompt_token_ids: prompt = [], generation_token_ids: generation = [] } = entry;
      const lines = [
        '',
        `${lane} turn ${entry.turn}  (${folder.path})`,
        `  prompt      ${prompt.length} ids`,
        `  generation  ${generation.length} ids: ${tokenizer.decode(generation)}`,
        `  reasoning   ${JSON.stringify(entry.reasoning) ?? '(absent)'}`,
        `  content     ${JSON.stringify(entry.content) ?? '(absent)'}`,
        `  tool_calls  ${JSON.stringify(entry.tool_calls) ?? '(absent)'}`,
        `  finish      ${entry.finish_reason ?? '(absent)'}`,
        `  exchange    ${join(folder.path, entry.exchange)}.*`,
      ];
      writeOut(...lines);
    }
  }
  const results = folder.readResults();
  const findings = results.findings.filter(
    (f) => f.scenario === scenario && (turn === undefined || f.turn === turn),
  );
  if (findings.length === 0) return;
  writeOut('', ...terminalReport({ ...results, findings }, (ids) => tokenizer.decode(ids), folder.path));
}
