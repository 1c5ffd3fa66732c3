import { describe } from 'vitest';
import type { MakeJobs } from './jobs.fixture.js';
import { hostileMachine } from './jobs.hostile.js';
import { inTime } from './jobs.time.js';
import { working } from './jobs.working.js';

/** The contract of every engine of the `Jobs` port. */
export function jobsContract(name: string, make: MakeJobs): void {
  describe(name, () => {
    working(make);
    inTime(make);
    hostileMachine(make);
  });
}
