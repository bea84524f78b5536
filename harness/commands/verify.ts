import { judgesOf } from '../compare/judges.ts';
import { projectAt } from '../project.ts';
import { RunFolder } from '../replay/run-folder.ts';
import { terminalReport } from '../report/terminal.ts';
import { writeOut } from '../report/write.ts';
import { judgeFolder } from '../run/execute.ts';
import { requireRawBytes } from '../run/raw-bytes.ts';
import { loadScenarios } from '../scenario/scenario.ts';

/** `parity verify`: judges a recorded run again, without a server. Returns the exit code. */
export function verifyCommand(name: string): number {
  const project = projectAt();
  const folder = RunFolder.open(name, project.reports);
  const judges = judgesOf(project);
  const startedAt = performance.now();
  const timings = { launch_ms: 0, replay_ms: 0, compare_ms: 0, write_ms: 0, total_ms: 0 };
  const unread = requireRawBytes(folder.readRun(), folder);
  const results = judgeFolder({ ...judges, scenarios: loadScenarios(project.scenarios) }, folder, timings);
  if (unread.length > 0) results.notCovered.push(`${unread.join(', ')}: the raw bytes were not read again`);
  timings.compare_ms = Math.round(performance.now() - startedAt);
  timings.total_ms = timings.compare_ms;
  folder.writeResults(results);
  writeOut(...terminalReport(results, (ids) => judges.oracle.tokenizer.decode(ids), folder.path));
  return results.exitCode;
}
