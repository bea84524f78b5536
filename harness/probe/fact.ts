/** How a fact is known: seen in answers, only said by the server, taken for granted, or not known. */
export type Basis = 'measured' | 'told' | 'assumed' | 'unknown';

/** One line of a first-contact report. */
export interface Fact {
  what: string;
  basis: Basis;
  /** One or more lines; server output in them is escaped where it is printed. */
  lines: string[];
}

export const measured = (what: string, ...lines: string[]): Fact => ({ what, basis: 'measured', lines });
export const told = (what: string, ...lines: string[]): Fact => ({ what, basis: 'told', lines });
export const assumed = (what: string, ...lines: string[]): Fact => ({ what, basis: 'assumed', lines });
export const unknown = (what: string, ...lines: string[]): Fact => ({ what, basis: 'unknown', lines });
