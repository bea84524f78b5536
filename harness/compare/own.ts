import type { Field } from '../domain.ts';
import type { Transcript } from '../schemas/types.ts';

/** What on a token lane comes from the server; everything else of a turn our own oracle made, or follows from what it made. */
const SERVERS: ReadonlySet<Field> = new Set([
  'http_status',
  'generation_token_ids',
  'finish_reason',
  'usage',
  'logprobs',
]);

/** Whether a compared field is our own oracle's word, which is no evidence about the server. */
export const isOracles = ({ projection }: Pick<Transcript, 'projection'>, field: Field): boolean =>
  projection !== undefined && !SERVERS.has(field);
