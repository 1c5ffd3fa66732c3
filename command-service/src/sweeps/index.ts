import { obligations, queues } from '@oja/contracts/models';
import { MINUTE_MS } from '@oja/domain/rules';
import {
  addOrderToLogContext,
  createLease,
  type Job,
  type Worker,
  withJobCorrelation,
} from '@oja/platform';
import { z } from 'zod';
import { workPaymentCheck } from '../checkout/payment-checks.js';
import { workPayout } from '../checkout/settlement/payouts.js';
import { workRefunds } from '../checkout/settlement/refunds.js';
import { workWebhook } from '../checkout/webhook.js';
import { type Deps, withOrderCache } from '../deps.js';
import { erasePerson, restartErasureScan } from '../erasure.js';
import { forgetPush } from '../notifications.js';
import { runSweep, type UnansweredTasks } from './sweep.js';

const order = z.object({ transactionId: z.string() });
const payout = z.object({ transactionId: z.string(), sellerId: z.string() });
const key = z.object({ subject: z.string() });
const gone = z.object({ eventId: z.string(), sellerId: z.string(), subscriptionId: z.string() });
const notice = z.object({ key: z.string() });

/** Thrown to make the queue retry the job later. */
class NotYet extends Error {
  override readonly name = 'NotYet';
}

/** @throws NotYet, so that the queue retries the job. The provider may have answered, but not with a final result. */
function requireDone(isDone: boolean): void {
  if (!isDone) throw new NotYet('the provider has not answered, or does not confirm it yet');
}

type Work = (deps: Deps, job: Job) => Promise<void>;

type Queue = (typeof queues)[keyof typeof queues];
/** All queues but those that the projector works. */
type OwnQueue = Exclude<
  Queue,
  typeof queues.letters | typeof queues.orderPushes | typeof queues.pushes
>;

/**
 * The work for each queue's jobs. The sweep does the same later, with the same functions, except
 * for `forgetPush`: if that job is lost, the next push to the browser fails again and adds it again.
 */
const workByQueue: Readonly<Record<OwnQueue, Work>> = {
  [queues.paymentChecks]: async (deps, job) => requireDone(await workPaymentCheck(deps, job)),
  [queues.refunds]: async (deps, { data }) =>
    requireDone(await workRefunds(deps, order.parse(data).transactionId)),
  [queues.payouts]: async (deps, { data }) => {
    const { transactionId, sellerId } = payout.parse(data);
    requireDone(await workPayout(deps, transactionId, sellerId));
  },
  [queues.keys]: (deps, { data }) => erasePerson(deps, key.parse(data).subject),
  [queues.forgetPush]: (deps, { data }) => forgetPush(deps, gone.parse(data)),
  [queues.webhooks]: async (deps, { data }) =>
    requireDone(await workWebhook(deps, notice.parse(data).key)),
};

/** Starts the workers of this service's queues, if there are queues. */
export function startWorkers(deps: Deps): readonly Worker[] {
  const { jobs } = deps;
  if (jobs === undefined) return [];
  return Object.entries(workByQueue).map(([queue, work]) =>
    jobs.work(queue, (job) =>
      withJobCorrelation(job, () => {
        const about = order.safeParse(job.data);
        if (about.success) addOrderToLogContext(about.data.transactionId);
        return work(withOrderCache(deps), job);
      }),
    ),
  );
}

export { runSweep } from './sweep.js';

/** The interval between sweeps. */
const SWEEP_EVERY_MS = MINUTE_MS;
/** If the sweeping process dies, nobody sweeps for this long. The lease survives three missed beats. */
const LEASE_MS = 10_000;
const BEAT_MS = 3_000;

interface Sweeps {
  start(): void;
  /** Stops after the current task and releases the lease, so that another process can take over at once. */
  close(): Promise<void>;
}

/** Works the queues, and once a minute does what is owed. Only one process sweeps at a time. */
export function createSweeps(deps: Deps): Sweeps {
  const lease = createLease(deps, { space: 'sweep-lease', name: 'sweep', forMs: LEASE_MS });
  const unanswered: UnansweredTasks = new Set();
  let workers: readonly Worker[] = [];
  let timer: NodeJS.Timeout | undefined;
  let beating: Promise<void> = Promise.resolve();
  let sweeping: Promise<void> | null = null;
  let isOurs = false;
  let sweptAt = Number.NEGATIVE_INFINITY;
  const ending = new AbortController();
  let following: Promise<void> = Promise.resolve();
  let isFirst = true;

  const holdsLease = async () => isOurs && !ending.signal.aborted;

  async function sweep(): Promise<void> {
    sweptAt = performance.now();
    try {
      if (isFirst) await restartErasureScan(deps.state);
      isFirst = false;
      await runSweep(deps, deps.clock.now(), holdsLease, unanswered);
      // Expired entries are invisible but still on disk: stored answers, sessions, rate windows.
      await deps.state.sweep(deps.clock.now());
    } catch (error) {
      deps.logger.error({ err: error }, 'a sweep of the open obligations has failed');
    }
    sweeping = null;
  }

  /** Renews the lease independently of the sweep, however long the provider takes to answer. */
  async function beat(): Promise<void> {
    const was = isOurs;
    try {
      isOurs = await lease.hold();
    } catch (error) {
      isOurs = false;
      deps.logger.warn({ err: error }, 'the lease of the sweep could not be renewed');
    }
    const isDue = !was || performance.now() - sweptAt >= SWEEP_EVERY_MS;
    if (isOurs && isDue && !ending.signal.aborted) sweeping ??= sweep();
    if (!ending.signal.aborted) timer = setTimeout(begin, BEAT_MS).unref();
  }

  function begin(): void {
    beating = beat();
  }

  /**
   * Triggers a sweep as soon as the obligations have caught up with the log as it was at the start.
   * Otherwise tasks that fell due while no process ran, or that come with a seeded or restored log,
   * would wait a minute after a sweep that saw nothing.
   */
  async function sweepOnceKnown(): Promise<void> {
    try {
      const head = await deps.eventStore.head();
      const models = [obligations];
      if (head === null || (await deps.readModels.waitFor(models, head, 0, ending.signal))) return;
      if (await deps.readModels.waitFor(models, head, Number.POSITIVE_INFINITY, ending.signal))
        sweptAt = Number.NEGATIVE_INFINITY;
    } catch (error) {
      if (!ending.signal.aborted)
        deps.logger.warn({ err: error }, 'could not wait for the read model obligations');
    }
  }

  return {
    start() {
      workers = startWorkers(deps);
      following = sweepOnceKnown();
      begin();
    },
    async close() {
      ending.abort();
      clearTimeout(timer);
      await Promise.all([beating, sweeping, following, ...workers.map((worker) => worker.close())]);
      // An unreleased lease expires by itself, so a full disk or an unreachable engine must not
      // stop the process from exiting.
      await lease.release().catch((error: unknown) => {
        deps.logger.warn({ err: error }, 'the lease of the sweep could not be released');
      });
    },
  };
}
