import { chatDialectOf } from '../dialects/index.ts';
import { InvalidError } from '../errors.ts';
import type { RunFolder } from '../replay/run-folder.ts';
import type { Run } from '../schemas/types.ts';

/**
 * Reads every kept answer again: a transcript must be what the server's bytes say. Throws {@link InvalidError} where it is not,
 * or where bytes are missing. Returns the lanes whose bytes cannot be read alone: on a token lane the oracle made the message.
 */
export function requireRawBytes(run: Run, folder: RunFolder): string[] {
  const skipped: string[] = [];
  for (const { lane, server } of run.lanes) {
    const dialect = chatDialectOf(server);
    if (!dialect) skipped.push(lane);
    for (const name of dialect ? run.scenarios : []) {
      if (!folder.hasTranscript(lane, name)) continue;
      for (const turn of folder.readTranscript(lane, name).turns) {
        if (turn.outcome === 'no_answer') continue;
        const { reading } = dialect?.read(turn.http_status ?? 200, folder.readResponse(turn.exchange)) ?? {};
        for (const [key, value] of Object.entries(reading ?? {})) {
          // The keys of a reading are keys of a turn.
          if (JSON.stringify(value) === JSON.stringify(turn[key as keyof typeof turn])) continue;
          throw new InvalidError(`${key} of turn ${turn.turn} is not what the server's bytes say`, {
            where: `${folder.path}/transcripts/${lane}/${name}.json`,
            hint: `compare with ${turn.exchange}.response.txt; transcripts are recorded, not edited`,
          });
        }
      }
    }
  }
  return skipped;
}
