/** Exit codes of the command line; where several apply: 2, then 1, then 3, then 4. */
export const EXIT = { equal: 0, diverged: 1, invalid: 2, infra: 3, incomplete: 4 } as const;

interface Details {
  /** Where: `file:line:col`, or scenario/turn/field. */
  where?: string;
  /** What to do next. */
  hint?: string;
  cause?: unknown;
}

/** An error whose message is for the user: what, where, what next. Others are bugs and keep their stack. */
export class ParityError extends Error {
  readonly exitCode: number;
  readonly where: string | undefined;
  readonly hint: string | undefined;

  constructor(exitCode: number, what: string, { where, hint, cause }: Details = {}) {
    super((where ? `${where}: ${what}` : what) + (hint ? `\n  ${hint}` : ''), { cause });
    this.name = new.target.name;
    this.exitCode = exitCode;
    this.where = where;
    this.hint = hint;
  }
}

/** Wrong usage, or a wrong or missing file; decided before anything runs. */
export class InvalidError extends ParityError {
  constructor(what: string, details?: Details) {
    super(EXIT.invalid, what, details);
  }
}

/** Interrupted, nothing selected, or nothing compared. */
export class IncompleteError extends ParityError {
  constructor(what: string, details?: Details) {
    super(EXIT.incomplete, what, details);
  }
}
