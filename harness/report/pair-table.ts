import { ITSELF } from '../compare/judge-run.ts';
import { PROJECTED } from '../goldens/differences.ts';
import type { Results } from '../schemas/types.ts';

const FIELDS = ['prompt_token_ids', 'generation_token_ids', ...PROJECTED, 'usage', 'logprobs'] as const;

/** How two lanes compare, field by field: a Markdown table, made to be pasted. */
export function pairTable({ lanes, findings, differences, waivers, fields = [] }: Results): string[] {
  const [first, ...others] = lanes.map(({ lane, emulated }) => `${lane}${emulated ? ' (emulated)' : ''}`);
  const rows = FIELDS.map((field) => {
    const asserted = fields.find((entry) => entry.field === field)?.turns ?? 0;
    const own = findings.filter((finding) => finding.field === field && finding.against !== ITSELF);
    const follows = own.filter(({ followsFrom }) => followsFrom !== undefined).length;
    const red = own.length - follows;
    const waived = waivers.filter((use) => use.field === field).length;
    const listed = differences.filter((use) => use.field === field).reduce((sum, use) => sum + use.count, 0);
    return [field, asserted - red - follows - waived - listed, listed, waived, red, follows].map(String);
  });
  const header = ['field', 'equal', 'differs, listed', 'waived', 'red', 'only follows'];
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [
    `${first} against ${others.join(', ')}, turns per field:`,
    '',
    line(header),
    line(widths.map((width) => '-'.repeat(width))),
    ...rows.map(line),
  ];
}
