/** Where a lane's server listens, and how to let go of it. */
export interface Connection {
  url: string;
  apiKey: string | undefined;
  emulated: boolean;
  close(): Promise<void>;
}

export interface ConnectOptions {
  codebook: string;
  /** Source of the lane's own chat template. */
  chatTemplate?: string | undefined;
  /** Name of a fault that an embedded server shall have. */
  plant?: string | undefined;
}
