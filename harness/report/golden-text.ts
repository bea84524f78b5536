import stringWidth from 'string-width';
import type { Golden, GoldenContext, GoldenRow, ProjectedMessage, Projection } from '../schemas/types.ts';
import { clip, printable } from './escape.ts';

/** A golden as words: what a reviewer reads, and what `git diff` compares when this is its textconv. */
export function goldenText(golden: Golden, only?: number): string[] {
  const { context, model, history, scenario } = golden;
  const lines = [
    `golden    ${scenario}  (${model}, ${history})`,
    `recorded  ${context.recorded_at} by ${context.lane} (${context.server}${context.emulated ? ', emulated' : ''})`,
    `reason    ${context.reason}`,
    ...Object.entries(golden.projections).map(
      ([dialect, projection]) =>
        `confirmed ${dialect}: ${confirmation(projection, projection.context ?? context)}`,
    ),
  ];
  for (const turn of golden.turns) {
    if (only !== undefined && turn.turn !== only) continue;
    const stop = turn.stop === null ? 'cut by the length limit' : `stop ${turn.stop}`;
    lines.push(
      '',
      `turn ${turn.turn}`,
      `  prompt      keeps ${turn.keep} ids, then`,
      ...rowLines(turn.prompt),
    );
    lines.push(`  generation  ${stop}`, ...rowLines(turn.generation));
    for (const [dialect, projection] of Object.entries(golden.projections)) {
      const message = projection.turns[turn.turn - 1];
      if (message) lines.push(`  ${dialect}`, ...messageLines(message));
    }
  }
  return lines;
}

const rowLines = (rows: readonly GoldenRow[]): string[] =>
  rows.map(([ids, text, repeats]) => {
    const shown = `    ${printable(text)}${repeats ? `  ×${repeats}` : ''}`;
    const left = clip(shown, 70);
    return `${left}${' '.repeat(Math.max(0, 70 - stringWidth(left)))}  ${clip(ids.join(' '), 60)}`;
  });

function messageLines(message: ProjectedMessage): string[] {
  const show = (value: string | null | undefined): string =>
    value === undefined ? '(absent)' : value === null ? 'null' : `"${value}"`;
  const calls = (message.tool_calls ?? []).map(
    ({ name, arguments: text }) => `    tool_call    ${name} ${text}`,
  );
  return [
    `    reasoning    ${show(message.reasoning)}`,
    `    content      ${show(message.content)}`,
    ...calls,
    `    finish       ${message.finish_reason}`,
  ];
}

/** Which real engines gave exactly a projection. */
function confirmation({ confirmed_by: by = [] }: Projection, { emulated, lane }: GoldenContext): string {
  const engines = [...(emulated ? [] : [`recorded by ${lane}`]), ...by];
  return engines.length > 0 ? engines.join('; ') : 'by no real engine yet';
}
