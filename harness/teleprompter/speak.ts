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

export interface Generation {
  ids: number[];
  /** `stop`: ended on a stop id, which is the last of `ids`. `length`: the limit was reached. */
  finish: 'stop' | 'length';
}

/** Greedy generation of at most `maxTokens` ids; the stop id counts as one of them. */
export function speak(
  model: Teleprompter,
  prompt: readonly number[],
  maxTokens: number,
  stopIds: ReadonlySet<number>,
): Generation {
  const all = [...prompt];
  while (all.length - prompt.length < maxTokens) {
    const id = nextId(model, all);
    all.push(id);
    if (stopIds.has(id)) return { ids: all.slice(prompt.length), finish: 'stop' };
  }
  return { ids: all.slice(prompt.length), finish: 'length' };
}
