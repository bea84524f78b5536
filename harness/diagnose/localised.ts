import type { StageAnswer } from '../replay/localise.ts';

/**
 * Which stage of a server is wrong, by what its stages gave when they were asked alone; undefined where their answers do not
 * tell.
 */
export function stageAtFault(
  answers: readonly StageAnswer[],
  prompts: 'equal' | 'differ',
): string | undefined {
  const says = (stage: StageAnswer['stage']): StageAnswer['says'] =>
    answers.find((answer) => answer.stage === stage)?.says ?? 'absent';
  if (prompts === 'equal') {
    if (says('engine') === 'expected')
      return 'the chat route: the same ids, asked alone, give the expected generation';
    if (says('engine') === 'absent') return undefined;
    return 'the engine: the expected prompt, given as ids, is continued otherwise';
  }
  if (says('tokenize') === 'actual' || says('tokenize') === 'neither') {
    return 'the tokenizer: it splits the expected text otherwise';
  }
  if (says('render') === 'expected') {
    return 'behind the template: rendered alone, the request gives the expected prompt';
  }
  if (says('tokenize') === 'absent') return undefined;
  const rendered = says('render') === 'absent' ? '' : ', and rendered alone the request gives no such text';
  return `the template or the splice: the tokenizer gives the expected ids for the expected text${rendered}`;
}

const SAID = {
  expected: 'the expected ids',
  actual: "the lane's ids",
  neither: 'other ids than both',
} as const;

/** What was measured, a line each, the conclusion first. */
export function measuredLines(answers: readonly StageAnswer[], prompts: 'equal' | 'differ'): string[] {
  const stage = stageAtFault(answers, prompts);
  const lines = answers.flatMap(({ route, says }) =>
    says === 'absent' ? [] : [`measured: ${route} gives ${SAID[says]}`],
  );
  if (lines.length === 0) return ['not measured: the server has none of the routes that stages are asked by'];
  return [`measured: ${stage ?? 'the stages asked do not tell'}`, ...lines];
}
