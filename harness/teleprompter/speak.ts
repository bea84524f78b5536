/** The model in closed form: at every step it says what stands `lag` positions before the next token. */
export interface Teleprompter {
  /** Distance D in tokens; part of the model's name (`teleprompter-256`). */
  lag: number;
  /** From a code character's token id to the token it stands for; other ids stand for themselves. */
  spokenBy: ReadonlyMap<number, number>;
}

/** The next id after `ids`. Before the lag is reached the oldest id is taken, which no script relies on. */
export function nextId(model: Teleprompter, ids: readonly number[]): number {
  const source = ids[Math.max(0, ids.length - model.lag)] ?? 0;
  return model.spokenBy.get(source) ?? source;
}
