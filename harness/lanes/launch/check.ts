import type { Project } from '../../project.ts';
import type { LoadedLane } from '../load.ts';
import { modelPath } from '../model.ts';
import { startOf, usesPort } from './start.ts';

/** Finds before anything runs what is wrong with a lane's launch. Throws {@link InvalidError}. */
export function checkLaunch(loaded: LoadedLane, project: Project): void {
  const { launch } = loaded.lane;
  if (!launch) return;
  const start = startOf(loaded, launch, {
    root: project.root,
    caller: process.env,
    modelPath: modelPath(loaded, project),
    port: usesPort(launch) ? 1 : undefined,
    name: loaded.lane.name,
  });
  start.url('http://handshake');
}
