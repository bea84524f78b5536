import { InvalidError } from '../errors.ts';
import type { Run, RunLane, Transcript } from '../schemas/types.ts';

/*
 * A run folder may have been copied together, cut or edited. What it says of one thing in two places must agree, and each thing
 * must be there once, or one lane's answers would stand for another's.
 */

const NAME = /^[a-z0-9][a-z0-9-]*$/;
const SCENARIO = /^[a-z0-9][a-z0-9-]*(\/[a-z0-9][a-z0-9-]*)*$/;

/** Lanes and scenarios of a run have names of their own, once each. Throws {@link InvalidError}. */
export function requireNames({ lanes, scenarios }: Run, where: string): void {
  const names = lanes.map(({ lane }) => lane);
  const wrong = names.find((name) => !NAME.test(name)) ?? scenarios.find((name) => !SCENARIO.test(name));
  if (wrong !== undefined) throw new InvalidError(`'${wrong}' is no name of a lane or scenario`, { where });
  for (const list of [names, scenarios]) {
    const twice = list.find((name, index) => list.indexOf(name) !== index);
    if (twice !== undefined) throw new InvalidError(`${twice} is listed twice`, { where });
  }
}

/** A transcript is the one its place says, its turns are in order, each with its own exchange. Throws {@link InvalidError}. */
export function requirePlace(transcript: Transcript, lane: string, scenario: string, where: string): void {
  if (transcript.lane !== lane || transcript.scenario !== scenario) {
    throw new InvalidError(`it is the transcript of ${transcript.scenario} by ${transcript.lane}`, { where });
  }
  for (const [index, { turn, exchange }] of transcript.turns.entries()) {
    if (turn === index + 1 && exchange === `exchanges/${lane}/${scenario}/${turn}`) continue;
    throw new InvalidError(`turn ${index + 1} is not in its place: turn ${turn}, ${exchange}`, { where });
  }
}

const FACTS = ['server', 'projection', 'model', 'history', 'eos', 'emulated'] as const;

/** What a transcript says of its lane is what run.json says. Throws {@link InvalidError}. */
export function requireLane(transcript: Transcript, lane: RunLane, turns: number, where: string): void {
  const name = `the transcript of ${transcript.scenario} by ${lane.lane}`;
  const fact = FACTS.find((key) => transcript[key] !== lane[key]);
  if (fact !== undefined) {
    throw new InvalidError(`${name} has ${fact} ${transcript[fact]}, run.json has ${lane[fact]}`, { where });
  }
  if (transcript.turns.length > turns) {
    throw new InvalidError(`${name} has ${transcript.turns.length} turns, the scenario ${turns}`, { where });
  }
}
