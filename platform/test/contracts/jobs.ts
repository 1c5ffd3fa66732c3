import { describe } from 'vitest';
import type { MakeJobs } from './jobs.fixture.js';
import { hostileMachine } from './jobs.hostile.js';
import { inTime } from './jobs.time.js';
import { working } from './jobs.working.js';

/** What every engine of the queues must hold. */
export function jobsContract(name: string, make: MakeJobs): void {
  describe(name, () => {
    working(make);
    inTime(make);
    hostileMachine(make);
  });
}
