import type { FieldDifference } from '../compare/difference.ts';
import type { Finding } from '../schemas/types.ts';
import type { Case, Explained, Layer, Reference, Side, Sides, Step } from './case.ts';
import type { CauseName } from './causes.ts';
import { detok } from './ladder/detok.ts';
import { env } from './ladder/env.ts';
import { err } from './ladder/err.ts';
import { life } from './ladder/life.ts';
import { num } from './ladder/num.ts';
import { reas } from './ladder/reas.ts';
import { req } from './ladder/req.ts';
import { ser } from './ladder/ser.ts';
import { splice } from './ladder/splice.ts';
import { stop } from './ladder/stop.ts';
import { tmpl } from './ladder/tmpl.ts';
import { tok } from './ladder/tok.ts';
import { tool } from './ladder/tool.ts';
import { unexplained } from './ladder/unexplained.ts';
import { sidesOf, turnedRound } from './sides.ts';

/**
 * The ladder, in the order in which a request travels: set-up, request, rendered text, its ids, the splice, the end of the
 * generation, its ids, its text, reasoning, calls, the answer's fields, and no answer at all. The first that explains wins.
 */
const LADDER: readonly Step[] = [env, req, tmpl, tok, splice, stop, num, detok, reas, tool, ser, err, life];

export type Diagnosis = Pick<Finding, 'verdict' | 'cause' | 'says' | 'evidence' | 'reference' | 'deviates'>;

/** Layer, side and cause of one finding. Pure; linear in the turn's size beside rendering and tokenizing its request. */
export function diagnose(given: Case): Diagnosis {
  const found = sidesOf(given);
  const { layer, cause, says, evidence = [], side } = explain(found);
  const diagnosis: Diagnosis = {
    verdict: layer,
    says,
    reference: found.reference,
    deviates: side ?? sideOf(found),
  };
  if (cause) diagnosis.cause = cause;
  if (evidence.length > 0) diagnosis.evidence = evidence;
  return diagnosis;
}

/**
 * What a server does even where the oracle sides with it: it copies the known defects of its server kind. A tag that one side
 * has was generated, so the other one deleted it.
 */
const EITHER_WAY: ReadonlySet<CauseName> = new Set(['marker-deleted']);

/**
 * Causes are described as what the deviating side does. Where nobody alone deviates, the sides may be exchanged: what one does
 * has a name where the other's doing has none. Else that name would say the opposite of what happened, so only the layer and
 * the sentence stay.
 */
function explain(found: Sides): Explained {
  const first = firstOf(found);
  if (first?.cause) return first;
  const turned = firstOf(turnedRound(found));
  if (turned?.cause && turned.side === undefined) {
    const side = sideOf(found);
    if ((side !== 'lane' && side !== 'other') || EITHER_WAY.has(turned.cause))
      return { ...turned, says: `against it, ${turned.says}` };
    if (!first) {
      const { layer, says, evidence = [] } = turned;
      return { layer, says: `the opposite of: ${says}`, evidence };
    }
  }
  return first ?? unexplained(found);
}

function firstOf(found: Sides): Explained | undefined {
  for (const step of LADDER) {
    const explained = step(found);
    if (explained) return explained;
  }
  return undefined;
}

function sideOf({ asTheirKind, reference, core, message }: Sides): Side {
  if (asTheirKind) return 'neither';
  // Without another side the oracle is what the lane is held against.
  const alone = core === undefined && message === undefined;
  return alone && reference === 'neither' ? 'lane' : SIDES[reference];
}

/** The oracle sides with one, so the other deviates. */
const SIDES: Record<Reference, Side> = {
  expected: 'lane',
  actual: 'other',
  neither: 'both',
  unknown: 'unknown',
};

/** The layer that a field alone tells: enough for what only follows from another finding. */
export function layerOf(field: string, noAnswer: boolean): Layer {
  switch (field) {
    case 'http_status':
      return noAnswer ? 'LIFE' : 'ERR';
    case 'generation_token_ids':
      return 'NUM';
    case 'reasoning':
      return 'REAS';
    case 'tool_calls':
      return 'TOOL';
    case 'finish_reason':
    case 'usage':
    case 'logprobs':
    case 'differences':
    case 'waivers':
      return 'SER';
    case 'contiguity':
      return 'SPLICE';
    default:
      return 'UNKNOWN';
  }
}

/** Another set-up concerns no turn: it is told by its two values alone. */
export function diagnoseEnvironment({ summary }: FieldDifference): Diagnosis {
  const part = (['template', 'tokenizer', 'model'] as const).find((name) =>
    summary.startsWith(`another ${name}`),
  );
  return {
    verdict: 'ENV',
    ...(part ? { cause: `other-${part}` } : {}),
    says: summary,
    reference: 'unknown',
    deviates: 'unknown',
  };
}
