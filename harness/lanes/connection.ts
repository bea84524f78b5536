import type { ParityError } from '../errors.ts';
import type { RunLaunch } from '../schemas/types.ts';

/** Where a lane's server listens, and how to let go of it. */
export interface Connection {
  url: string;
  apiKey: string | undefined;
  emulated: boolean;
  /** Only of a server that the harness has started. */
  engine?: LaunchedEngine;
  close(): Promise<void>;
}

export interface LaunchedEngine {
  /** How it was started, for run.json; closing completes it. */
  record: RunLaunch;
  /** Aborts when the lane's deadline for being ready is over. */
  deadline: AbortSignal;
  /** Whether its command has ended by itself. */
  hasEnded(): boolean;
  /** Why it has died, when it has; waits a moment for a process that is about to. */
  failure(when: string): Promise<ParityError | undefined>;
  /** The error of a deadline that has passed. */
  late(): ParityError;
  /** Bytes in its log so far. */
  logOffset(): number;
}

export interface ConnectOptions {
  /** The project's folder, where commands run. */
  root: string;
  codebook: string;
  /** Source of the lane's own chat template. */
  chatTemplate?: string | undefined;
  /** Name of a fault that an embedded server shall have. */
  plant?: string | undefined;
  /** Folder for the logs of started servers. */
  logs: string;
  /** Folder of the checkpoint that a started server loads. */
  modelPath?: string | undefined;
  onPhase?: ((phase: string) => void) | undefined;
  signal?: AbortSignal | undefined;
}
