/** Whether two lists of ids are the same; a list that is missing is like none. */
export const sameIds = (a: readonly number[] | undefined, b: readonly number[]): boolean =>
  a?.length === b.length && a.every((id, index) => id === b[index]);
