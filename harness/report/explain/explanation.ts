import { firstDifference } from '../../compare/difference.ts';
import type { JudgedScenario } from '../../compare/judge-run.ts';
import type { Field } from '../../domain.ts';
import { InvalidError } from '../../errors.ts';
import { withStop } from '../../goldens/codec.ts';
import type { JsonObject } from '../../json/value.ts';
import { STOP_IDS } from '../../oracle/tokenizer.ts';
import type { Finding, TranscriptTurn } from '../../schemas/types.ts';
import { command } from '../command.ts';
import type { Explanation } from '../explain.ts';
import { factsOf } from './facts.ts';
import type { Judged } from './judged.ts';
import { opinionsOf } from './opinions.ts';
import { tracedPrompt } from './prompt.ts';
import { generatedAt, type TextField, textPairs } from './texts.ts';
import { type NamedIds, named, oneSided, partsOf, regionsOf, rowsOf, withCarried } from './tokens.ts';

export interface Asked {
  judged: JudgedScenario;
  turn: TranscriptTurn;
  field: Field;
  /** Where to look; the first difference when undefined. In ids, or in UTF-16 units of a text. */
  at: number | undefined;
  /** What the lane is compared with: `golden`, or a lane. */
  against: string;
  finding: Finding | undefined;
  /** The body that was sent on a turn. */
  requestOf: (turn: number) => JsonObject | undefined;
  /** The run as the next command must name it. */
  run: string;
}

/** Explains one field of one turn from what a run recorded. Throws {@link InvalidError} for an index outside of it. */
export function explain(asked: Asked): Explanation {
  const { judged, turn, field, against, finding } = asked;
  const { transcript } = judged;
  const base: Explanation = {
    scenario: transcript.scenario,
    turn: turn.turn,
    field,
    lane: transcript.lane,
    emulated: transcript.emulated,
    against,
    location: finding?.location,
    verdict: finding?.verdict,
    facts: factsOf(finding, turn, against),
    texts: [],
    parts: undefined,
    tokens: undefined,
    opinions: [],
    next: [command(`show ${transcript.scenario}:${turn.turn} --run ${asked.run}`)],
  };
  switch (field) {
    case 'prompt_token_ids':
    case 'contiguity':
      return { ...base, ...promptView(asked) };
    case 'generation_token_ids':
      return { ...base, ...generationView(asked) };
    case 'content':
    case 'reasoning':
    case 'tool_calls':
      return { ...base, ...textView(asked, field) };
    default:
      if (asked.at !== undefined) throw noIndex(asked, `${field} has no order`);
      return { ...base, ...valueView(asked) };
  }
}

type View = Partial<Explanation>;

function promptView(asked: Asked): View {
  const { judged, turn, requestOf, field, against } = asked;
  const { oracle, expected, transcript } = judged;
  const right = turn.prompt_token_ids ?? [];
  const left = field === 'contiguity' ? seenBefore(asked) : (expected.core[turn.turn - 1]?.prompt ?? []);
  const at = placeIn(asked, left, right);
  const goldens = expected.core.map((core) => core?.prompt);
  const known = tracedPrompt(oracle, transcript, turn.turn, goldens, requestOf);
  const carries = transcript.history === 'spliced';
  const own = transcript.turns.slice(0, carries ? turn.turn - 1 : 0);
  const one = withCarried(named(left, known), expected.core.slice(0, carries ? turn.turn - 1 : 0));
  const other = withCarried(
    named(right, known),
    own.map((entry) => ({
      prompt: entry.prompt_token_ids ?? [],
      generation: withoutStop(entry.generation_token_ids ?? []),
    })),
  );
  const base = against === 'golden' ? 'golden' : against;
  return {
    parts: {
      title: `parts of the prompt, ${base}`,
      parts: partsOf(left.length > 0 ? one : other, at.difference),
    },
    tokens: {
      title: at.title,
      rows:
        left.length === 0
          ? oneSided(oracle.tokenizer, other, at.center)
          : rowsOf(oracle.tokenizer, one, other, at.center, asked.at !== undefined),
      two: left.length > 0,
    },
  };
}

/** A splice cuts one terminal stop id off and takes the template's. */
const withoutStop = (ids: readonly number[]): readonly number[] =>
  STOP_IDS.has(ids.at(-1) ?? -1) ? ids.slice(0, -1) : ids;

/** What a contiguous prompt must begin with, and of the prompt only as much of what follows as there is. */
function seenBefore({ judged, turn }: Asked): number[] {
  const previous = judged.transcript.turns[turn.turn - 2];
  return [...(previous?.prompt_token_ids ?? []), ...(previous?.generation_token_ids ?? [])];
}

function generationView(asked: Asked): View {
  const { judged, turn } = asked;
  const { oracle, expected, transcript } = judged;
  const core = expected.core[turn.turn - 1];
  const golden = core && (transcript.eos === 'kept' ? withStop(core) : core.generation);
  const left = golden ?? [];
  const right = turn.generation_token_ids ?? [];
  const at = placeIn(asked, left, right);
  const [one, other] = [regionsOf(left, turn.turn, STOP_IDS), regionsOf(right, turn.turn, STOP_IDS)];
  return {
    parts: { title: 'parts of the reply', parts: partsOf(left.length > 0 ? one : other, at.difference) },
    tokens: {
      title: at.title,
      rows: golden
        ? rowsOf(oracle.tokenizer, one, other, at.center, asked.at !== undefined)
        : oneSided(oracle.tokenizer, other, at.center),
      two: golden !== undefined,
    },
  };
}

function textView(asked: Asked, field: TextField): View {
  const { judged, turn, against, at, requestOf } = asked;
  const { oracle, transcript, expected } = judged;
  const sides: Judged = { turn, expected: expected.messages?.[turn.turn - 1], against };
  const texts = textPairs(field, sides).map((pair) =>
    at === undefined ? pair : { ...pair, index: within(asked, pair) },
  );
  const definitions = requestOf(turn.turn)?.get('tools');
  const ids = turn.generation_token_ids ?? [];
  const center = texts[0] && generatedAt(oracle.tokenizer, ids, texts[0]);
  const regions: NamedIds = regionsOf(ids, turn.turn, STOP_IDS);
  return {
    texts,
    opinions: opinionsOf(
      oracle,
      transcript,
      sides,
      field,
      Array.isArray(definitions) ? definitions : undefined,
    ),
    tokens: {
      title:
        center === undefined
          ? 'the generated ids (the text is not among them as it is)'
          : 'the generated ids that the text was made of',
      rows: oneSided(oracle.tokenizer, regions, center ?? 0).map((row) =>
        center === undefined ? { ...row, mark: ' ' as const } : row,
      ),
      two: false,
    },
  };
}

function within(
  asked: Asked,
  {
    left,
    right,
    what,
  }: { left?: string | null | undefined; right?: string | null | undefined; what: string },
): number {
  const length = Math.max(left?.length ?? 0, right?.length ?? 0);
  const at = asked.at ?? 0;
  if (at >= length) throw noIndex(asked, `${what} has ${length} characters`);
  return at;
}

function valueView({ finding, judged, field }: Asked): View {
  if (!finding) return { facts: [{ label: 'found', text: `no difference in ${field}` }] };
  const shown = (value: unknown): string => JSON.stringify(value) ?? '(absent)';
  return {
    facts: [
      ...factsOf(finding, undefined, finding.against ?? 'golden'),
      { label: 'expected', text: shown(finding.expected) },
      {
        label: judged.transcript.lane.length > 10 ? 'actual' : judged.transcript.lane,
        text: shown(finding.actual),
      },
    ],
  };
}

/** Where to look, and what to call it. */
function placeIn(
  asked: Asked,
  left: readonly number[],
  right: readonly number[],
): { center: number; difference: number | undefined; title: string } {
  const { at, field } = asked;
  const length = Math.max(left.length, right.length);
  if (at !== undefined && at >= length) throw noIndex(asked, `${field} has ${length} ids`);
  const compared =
    left.length === 0
      ? undefined
      : firstDifference(left, field === 'contiguity' ? right.slice(0, left.length) : right);
  const sizes = left.length === 0 ? `${right.length} ids` : `${left.length} ids, ${right.length} came`;
  const title =
    left.length === 0
      ? `${sizes}; there is nothing to compare them with`
      : compared === undefined
        ? `no difference: ${sizes}`
        : `first difference at index ${compared} of ${sizes}; ${compared} ids before it are equal`;
  return { center: at ?? compared ?? 0, difference: compared, title };
}

const noIndex = ({ at, judged, turn }: Asked, what: string): InvalidError =>
  new InvalidError(`no index ${at}: ${what}`, {
    where: `${judged.transcript.scenario}:${turn.turn}`,
    hint: 'leave --at out to see the first difference',
  });
