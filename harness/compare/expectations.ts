import type { DialectName } from '../domain.ts';
import type { Oracle } from '../oracle/oracle.ts';
import type { Expectation, TranscriptTurn, TurnExpectation } from '../schemas/types.ts';
import type { FieldDifference } from './difference.ts';

/** Checks that a turn exercised what its scenario is about; single expectations may differ per dialect. */
export function checkExpectation(
  turn: TranscriptTurn,
  { by_dialect: special = {}, ...common }: TurnExpectation,
  dialect: DialectName,
  oracle: Oracle,
): FieldDifference | undefined {
  const wanted: Expectation = { ...common, ...special[dialect] };
  const decode = (ids: number[] | undefined): string => oracle.tokenizer.decode(ids ?? []);
  const calls = turn.tool_calls ?? [];
  const generation = turn.generation_token_ids ?? [];
  const found: { [K in keyof Required<Expectation>]: () => unknown } = {
    finish_reason: () => turn.finish_reason ?? null,
    tool_calls: () => calls.map(({ name }) => name),
    arguments: () => calls.map((call) => call.arguments),
    // Which kind of nothing a server sends is the golden's business.
    content: () => turn.content || null,
    reasoning: () => turn.reasoning || null,
    content_includes: () => held(turn.content, wanted.content_includes),
    reasoning_includes: () => held(turn.reasoning, wanted.reasoning_includes),
    prompt_includes: () => held(decode(turn.prompt_token_ids), wanted.prompt_includes),
    generation_includes: () =>
      includesRun(generation, wanted.generation_includes ?? []) ? wanted.generation_includes : null,
    non_canonical: () => String(oracle.tokenizer.encode(decode(generation))) !== String(generation),
  };
  for (const key of Object.keys(found) as (keyof Expectation)[]) {
    if (wanted[key] === undefined) continue;
    const actual = found[key]();
    if (JSON.stringify(actual) === JSON.stringify(wanted[key] === '' ? null : wanted[key])) continue;
    return {
      index: null,
      expected: { [key]: wanted[key] },
      actual: { [key]: actual },
      summary: `the scenario expects ${key} ${JSON.stringify(wanted[key])}, found ${JSON.stringify(actual)}`,
    };
  }
  return undefined;
}

/** Those of the wanted parts that a text holds. */
const held = (text: string | null | undefined, parts: readonly string[] = []): string[] =>
  parts.filter((part) => text?.includes(part));

const includesRun = (ids: readonly number[], run: readonly number[]): boolean =>
  ids.some((_, at) => run.every((id, offset) => ids[at + offset] === id));
