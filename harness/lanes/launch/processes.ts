import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Environment variable that every process of one launch inherits, whatever session or parent it moves to. */
export const MARKER = 'PARITY_LAUNCH';

/** Which processes belong to one launch. */
export interface Family {
  /** Value of {@link MARKER}. */
  marker: string;
  /** The process that was started; it leads a session of its own. */
  leader: number | undefined;
}

interface ProcessEntry {
  pid: number;
  parent: number;
  /** Session, or process group where the system does not tell. */
  session: number;
  command: string;
  marked: boolean;
}

/**
 * The living processes of a launch: its session, everything that carries its marker, and their descendants. An engine's
 * workers rename themselves, which can overwrite their environment, or start a session of their own; not both at once
 * without a living parent.
 */
export function membersOf({ marker, leader }: Family): { pid: number; command: string }[] {
  const all = process.platform === 'linux' ? fromProc(marker) : fromPs();
  const members = new Set(
    all
      .filter((entry) => entry.marked || (leader !== undefined && isLed(entry, leader)))
      .map(({ pid }) => pid),
  );
  for (let before = -1; before !== members.size; ) {
    before = members.size;
    for (const { pid, parent } of all) if (members.has(parent)) members.add(pid);
  }
  members.delete(process.pid);
  return all.filter(({ pid }) => members.has(pid)).map(({ pid, command }) => ({ pid, command }));
}

const isLed = ({ pid, session }: ProcessEntry, leader: number): boolean =>
  pid === leader || session === leader;

function fromProc(marker: string): ProcessEntry[] {
  const wanted = `${MARKER}=${marker}`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name): ProcessEntry[] => {
      const stat = read(`/proc/${name}/stat`);
      // The command's name stands in brackets and may hold any character.
      const [state, parent, , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (state === undefined || state === 'Z' || state === 'X') return [];
      const marked = read(`/proc/${name}/environ`).split('\0').includes(wanted);
      const command = read(`/proc/${name}/cmdline`).replaceAll('\0', ' ').trim();
      return [{ pid: Number(name), parent: Number(parent), session: Number(session), command, marked }];
    });
}

/** A process may be gone, or somebody else's. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function fromPs(): ProcessEntry[] {
  const text = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,command='], { encoding: 'utf8' });
  return text.split('\n').flatMap((line): ProcessEntry[] => {
    const [, pid, parent, session, state, command] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (!pid || state?.startsWith('Z')) return [];
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        session: Number(session),
        command: command ?? '',
        marked: false,
      },
    ];
  });
}

/** Sends a signal; a process that is gone is no fault. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone, or not ours to end: whoever is left is named in the end.
  }
}
