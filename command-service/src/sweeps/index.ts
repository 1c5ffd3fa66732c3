import { MINUTE_MS } from '@oja/domain/rules';
import type { Worker } from '@oja/platform';
import type { Deps } from '../deps.js';
import { createLease } from './lease.js';
import { runSweep, type Silent } from './sweep.js';
import { startWorkers } from './workers.js';

export { runSweep } from './sweep.js';

/** Between two sweeps. */
const EVERY_MS = MINUTE_MS;
/** Longer than a sweep lets pass between two renewals: one call of the provider may take 15 s. */
const LEASE_MS = 90_000;
const RENEW_MS = 20_000;

export interface Sweeps {
  start(): void;
  /** Ends after the thing in hand; the lease goes to another process at once. */
  close(): Promise<void>;
}

/** Works the queues, and once a minute does what is owed: in one process at a time. */
export function createSweeps(deps: Deps): Sweeps {
  const lease = createLease(deps, 'sweep', LEASE_MS);
  const silent: Silent = new Set();
  let workers: readonly Worker[] = [];
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let closing = false;

  function stillOurs(): () => Promise<boolean> {
    let renewedAt = performance.now();
    return async () => {
      if (closing) return false;
      if (performance.now() - renewedAt < RENEW_MS) return true;
      renewedAt = performance.now();
      return lease.hold();
    };
  }

  async function round(): Promise<void> {
    try {
      if (await lease.hold()) await runSweep(deps, deps.clock.now(), stillOurs(), silent);
    } catch (error) {
      deps.logger.error({ err: error }, 'a sweep has failed');
    }
    if (!closing) timer = setTimeout(begin, EVERY_MS).unref();
  }

  function begin(): void {
    running = round();
  }

  return {
    start() {
      workers = startWorkers(deps);
      begin();
    },
    async close() {
      closing = true;
      clearTimeout(timer);
      await Promise.all([running, ...workers.map((worker) => worker.close())]);
      await lease.release();
    },
  };
}
