import { EXIT, ParityError } from '../../errors.ts';
import type { RunLaunch } from '../../schemas/types.ts';

/** A server that did not start, or that died: no pass and no mismatch. */
export class LaunchError extends ParityError {
  /** How it was started, for run.json, once it was. */
  launch: RunLaunch | undefined;

  constructor(what: string, hint?: string) {
    super(EXIT.infra, what, hint === undefined ? {} : { hint });
  }
}
