import { EXIT } from '../errors.ts';
import { projectAt } from '../project.ts';
import { printable } from '../report/escape.ts';
import { checkProject } from '../run/check-project.ts';

/** `parity check`: every file of the project, without a server. Returns the exit code. */
export function checkCommand(): number {
  const { scenarios, lanes, goldens, problems } = checkProject(projectAt());
  for (const problem of problems) process.stderr.write(`${problem.split('\n').map(printable).join('\n')}\n`);
  process.stdout.write(
    `checked ${scenarios} scenarios, ${lanes} lanes, ${goldens} goldens: ${problems.length} problems\n`,
  );
  return problems.length === 0 ? EXIT.equal : EXIT.invalid;
}
