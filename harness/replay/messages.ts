import { InvalidError } from '../errors.ts';
import type { Json, JsonObject } from '../json/value.ts';
import type { Oracle } from '../oracle/oracle.ts';
import type { LoadedScenario } from '../scenario/scenario.ts';
import type { ScenarioTurn } from '../schemas/types.ts';
import type { Codebook } from '../teleprompter/codebook.ts';
import { scriptsOf, withLines } from '../teleprompter/script.ts';

/** Texts of the messages that each turn adds; with a scripted model the last one carries the lines. */
export type TurnTexts = { role: 'user' | 'tool'; texts: string[] };

/**
 * Works out what every turn of a scenario says to the model, before anything runs. Throws {@link InvalidError} where a
 * scripted reply is missing, does not fit the lag, or needs a token that the codebook lacks.
 */
export function turnTexts(
  scenario: LoadedScenario,
  oracle: Oracle,
  script: { book: Codebook; lag: number } | undefined,
): TurnTexts[] {
  const scripts = script ? scriptsOf(scenario, oracle.tokenizer) : [];
  return scenario.document.turns.map((turn, index) => {
    const natural = naturalTexts(turn);
    if (!script) return natural;
    const where = scenario.locateTurn(index + 1);
    if (turn.say === undefined) {
      throw new InvalidError(`turn ${index + 1} has no \`say\``, {
        where,
        hint: 'the teleprompter model says what the scenario scripts; add `say:`',
      });
    }
    const kwargs = thinkingKwargs(turn.thinking ?? scenario.document.thinking);
    const texts = [...natural.texts];
    const tail = oracle.tailLength(natural.role, kwargs);
    const place = { where, turn: index + 1 };
    texts.push(withLines(texts.pop() ?? '', scripts[index] ?? [], { ...script, tail, place }));
    return { role: natural.role, texts };
  });
}

function naturalTexts({ user, results }: ScenarioTurn): TurnTexts {
  return results ? { role: 'tool', texts: results } : { role: 'user', texts: [user ?? ''] };
}

export const thinkingKwargs = (thinking: boolean | undefined): JsonObject | undefined =>
  thinking === undefined ? undefined : new Map<string, Json>([['enable_thinking', thinking]]);

/** The new messages of a turn; tool results name the calls of the answer before them, in order. */
export function newMessages(
  { role, texts }: TurnTexts,
  previous: JsonObject | undefined,
  turn: number,
): JsonObject[] {
  if (role === 'user')
    return texts.map(
      (content) =>
        new Map<string, Json>([
          ['role', 'user'],
          ['content', content],
        ]),
    );
  const calls = previous?.get('tool_calls');
  return texts.map((content, index) => {
    const call = Array.isArray(calls) ? calls[index] : undefined;
    const id = call instanceof Map ? call.get('id') : undefined;
    return new Map<string, Json>([
      ['role', 'tool'],
      ['content', content],
      // A call that never came still gets its result: what the server makes of that is its answer.
      ['tool_call_id', typeof id === 'string' ? id : `call_missing_${turn}_${index + 1}`],
    ]);
  });
}
