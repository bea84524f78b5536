import type { Check } from '../doctor/check.ts';
import { examine } from '../doctor/doctor.ts';
import { EXIT } from '../errors.ts';
import { loadLanes, selectLanes } from '../lanes/load.ts';
import { projectAt } from '../project.ts';
import { printable } from '../report/escape.ts';
import { writeOut } from '../report/write.ts';
import { nodeRange } from '../version.ts';

export interface DoctorOptions {
  lane: string[];
  model: string[];
}

/** `parity doctor`: what a run needs and whether it is there. Returns the exit code. */
export async function doctorCommand(options: DoctorOptions, signal: AbortSignal): Promise<number> {
  const project = projectAt();
  const sections = await examine({
    project,
    lanes: options.lane.length > 0 ? selectLanes(loadLanes(project.lanes), options.lane) : [],
    models: options.model,
    engines: nodeRange(),
    env: process.env,
    terminal: process.stdout.isTTY === true,
    signal,
  });
  const checks = sections.flatMap((section) => section.checks);
  for (const { title, checks: own } of sections) {
    writeOut(...`${printable(title)}\n${own.map(checkText).join('\n')}`.split('\n'));
  }
  const count = (state: Check['state']): number => checks.filter((check) => check.state === state).length;
  writeOut(...`${count('ok')} ok, ${count('warn')} warn, ${count('fail')} fail`.split('\n'));
  return count('fail') > 0 ? EXIT.invalid : EXIT.equal;
}

function checkText(check: Check): string {
  const line = `  ${check.state.padEnd(5)} ${check.what.padEnd(12)} ${printable(check.detail)}`;
  return check.state === 'ok' ? line : `${line}\n        remedy: ${printable(check.remedy)}`;
}
