const CALLED_BY: Record<string, string> = { parity: 'npm run parity --', npx: 'npx parity' };

/** A command line to paste, spelled as this program was called. */
export const command = (args: string): string =>
  `${CALLED_BY[process.env.npm_lifecycle_event ?? ''] ?? 'parity'} ${args}`;
