import { readdirSync } from 'node:fs';
import { ask, differenceOf, loadRecording } from './recording.ts';

/** What came of asking a server for every recorded exchange of a folder again. */
export interface RecordingsPlayed {
  same: number;
  /** `conversation#n` of every exchange that came back otherwise, with the first difference. */
  different: Record<string, string>;
}

/** For tests: asks a server (`url` without path) again for what the recordings of a folder hold. */
export async function playRecordings(folder: string, url: string): Promise<RecordingsPlayed> {
  const played: RecordingsPlayed = { same: 0, different: {} };
  for (const file of readdirSync(folder).filter((entry) => entry.endsWith('.json.gz'))) {
    const { name, exchanges } = loadRecording(folder + file);
    for (const exchange of exchanges) {
      const difference = differenceOf(exchange, await ask(url, exchange));
      if (difference === undefined) played.same++;
      else played.different[`${name}#${exchange.n}`] = `${exchange.label}: ${difference}`;
    }
  }
  return played;
}
