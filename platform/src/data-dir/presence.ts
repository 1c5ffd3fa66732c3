import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lockFile } from './lock.js';

/** Holds one locked file for each service that runs on the folder. */
const FOLDER = 'running';
const sides = ['', '-wal', '-shm'];
const NAMED = /^([a-z-]+)\.(\d+)\.lock$/;

export interface Present {
  readonly service: string;
  readonly pid: number;
}

/** Whoever looks holds a lock for an instant. */
const LOOK_MS = 2_000;

function remove(file: string): void {
  for (const side of sides)
    try {
      rmSync(`${file}${side}`, { force: true });
    } catch {
      // Some systems delete no file that is open: it is told from a locked one all the same.
    }
}

/** Says that this process runs the service on the folder, until it lets go or dies. */
export function announce(folder: string, service: string): () => void {
  mkdirSync(join(folder, FOLDER), { recursive: true });
  const file = join(folder, FOLDER, `${service}.${process.pid}.lock`);
  for (;;) {
    const release = lockFile(file, LOOK_MS);
    // Somebody may have removed it between its making and its locking.
    if (release !== null && !existsSync(file)) release();
    else
      return () => {
        remove(file);
        release?.();
      };
  }
}

/** The services that other processes run on the folder. What a dead one left behind is removed. */
export function announced(folder: string): readonly Present[] {
  const at = join(folder, FOLDER);
  if (!existsSync(at)) return [];
  return readdirSync(at).flatMap((name) => {
    const [, service, pid] = NAMED.exec(name) ?? [];
    if (service === undefined || Number(pid) === process.pid) return [];
    const release = lockFile(join(at, name));
    if (release === null) return [{ service, pid: Number(pid) }];
    remove(join(at, name));
    release();
    return [];
  });
}
