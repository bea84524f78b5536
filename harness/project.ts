import { join } from 'node:path';

/** Where a project keeps its things; the same layout in this repository and in a user's folder. */
export interface Project {
  root: string;
  scenarios: string;
  goldens: string;
  lanes: string;
  reports: string;
  codebook: string;
}

export function projectAt(root: string = process.cwd()): Project {
  return {
    root,
    scenarios: join(root, 'scenarios'),
    goldens: join(root, 'goldens'),
    lanes: join(root, 'ci', 'lanes'),
    reports: join(root, 'reports'),
    codebook: join(root, 'goldens', 'codebook.json'),
  };
}
