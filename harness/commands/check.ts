import { EXIT } from '../errors.ts';
import { projectAt } from '../project.ts';
import { writeError, writeOut } from '../report/write.ts';
import { checkProject } from '../run/check-project.ts';

/** `parity check`: every file of the project, without a server. Returns the exit code. */
export function checkCommand(): number {
  const { scenarios, lanes, goldens, problems } = checkProject(projectAt());
  for (const problem of problems) writeError(...problem.split('\n'));
  writeOut(`checked ${scenarios} scenarios, ${lanes} lanes, ${goldens} goldens: ${problems.length} problems`);
  return problems.length === 0 ? EXIT.equal : EXIT.invalid;
}
