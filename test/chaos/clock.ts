import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const PRELOAD = join(import.meta.dirname, '../../test/chaos/moving-clock.mjs');

/** One clock for all roles that can be moved on while they run. */
export interface MovingClock {
  /** Environment variables that make a process use this clock. */
  readonly env: Readonly<Record<string, string>>;
  now(): number;
  /** Moves the clock on, in milliseconds. */
  pass(ms: number): void;
}

export function createClock(folder: string): MovingClock {
  const file = join(folder, 'clock');
  let offset = 0;
  const write = () => {
    writeFileSync(`${file}.new`, String(offset));
    renameSync(`${file}.new`, file);
  };
  write();
  return {
    env: { OJA_CHAOS_CLOCK: file, NODE_OPTIONS: `--import=${pathToFileURL(PRELOAD).href}` },
    now: () => Date.now() + offset,
    pass(ms) {
      offset += Math.round(ms);
      write();
    },
  };
}
