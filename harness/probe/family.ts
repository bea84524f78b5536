import { type Fact, measured } from './fact.ts';
import type { Gated } from './gate.ts';
import { type Line, objectOf, textAt } from './heard.ts';
import { idPlaces, idsFact, type Parts, partsOf } from './ids.ts';
import { type Kind, kindOf } from './kind.ts';
import { reasoningName } from './parsers.ts';
import { CHAT, chatBody, type Fields } from './question.ts';
import type { Presences } from './routes.ts';
import { askTokenRoutes } from './token-routes.ts';

/** A server kind, and how it is asked so that it answers with ids. */
export interface Family {
  kind: Kind;
  /** Sampling fields that this server accepts, ids asked for where it must be. */
  fields: Fields;
  /** An answer with ids. */
  parts: Parts | undefined;
  facts: Fact[];
}

/** Where ids are, what reasoning is called, and so which kind it is. */
export async function askFamily(
  line: Line,
  model: string | undefined,
  { open, gated, presences }: { open: Gated; gated: readonly Gated[]; presences: Presences },
): Promise<Family> {
  const withIds: Fields = { ...open.pair.fields, return_token_ids: true };
  const plain = partsOf(open.heard);
  const asked = partsOf(await line.post(CHAT, chatBody({ model, fields: withIds })));
  const tokens = await askTokenRoutes(line, model);
  const reasoning = plain && reasoningName(plain.message);
  const plainIds = idPlaces(plain);
  const askedIds = idPlaces(asked);
  const fingerprint = textAt(objectOf(open.heard), 'system_fingerprint');
  const kind = kindOf({
    plainIds,
    askedIds,
    gated,
    presences,
    reasoning,
    fingerprint,
    tokenApis: tokens.working,
  });
  const onRequest = kind.server === 'vllm-serve';
  return {
    kind,
    fields: onRequest ? withIds : open.pair.fields,
    parts: onRequest ? asked : plain,
    facts: [
      idsFact(plainIds, askedIds),
      tokens.fact,
      measured('reasoning field', reasoning ?? 'none on a message without reasoning'),
    ],
  };
}
