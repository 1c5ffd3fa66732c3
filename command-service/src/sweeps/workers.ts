import { queues } from '@oja/contracts/models';
import { type Job, underItsCorrelation, type Worker } from '@oja/platform';
import { z } from 'zod';
import { forget } from '../checkout/remove-record.js';
import { workPayout } from '../checkout/settlement/payouts.js';
import { workRefunds } from '../checkout/settlement/refunds.js';
import { checkPayment } from '../checkout/verify-payment.js';
import { WEBHOOK_QUEUE, workNotice } from '../checkout/webhook.js';
import { type Deps, readingOnce } from '../deps.js';
import { forgetPush } from '../notifications.js';

const check = z.object({ transactionId: z.string() });
const payout = z.object({ transactionId: z.string(), sellerId: z.string() });
const key = z.object({ subject: z.string() });
const gone = z.object({ eventId: z.string(), sellerId: z.string(), subscriptionId: z.string() });
const notice = z.object({ key: z.string() });

/** Makes the queue try again later. */
class NotYet extends Error {
  override readonly name = 'NotYet';
}

function needed(isDone: boolean): void {
  if (!isDone) throw new NotYet('the provider has not answered');
}

type Work = (deps: Deps, data: Job['data']) => Promise<void>;

/** Jobs only make sooner what a sweep does anyway, by the very same functions; browsers that are gone nobody is owed. */
const works: Readonly<Record<string, Work>> = {
  [queues.paymentChecks]: async (deps, data) =>
    needed((await checkPayment(deps, check.parse(data).transactionId)) !== 'unanswered'),
  [queues.refunds]: async (deps, data) =>
    needed(await workRefunds(deps, check.parse(data).transactionId)),
  [queues.payouts]: async (deps, data) => {
    const { transactionId, sellerId } = payout.parse(data);
    needed(await workPayout(deps, transactionId, sellerId));
  },
  [queues.keys]: (deps, data) => forget(deps, key.parse(data).subject),
  [queues.forgetPush]: (deps, data) => forgetPush(deps, gone.parse(data)),
  [WEBHOOK_QUEUE]: async (deps, data) => needed(await workNotice(deps, notice.parse(data).key)),
};

/** Begins to work the queues of this service, if it has queues at all. */
export function startWorkers(deps: Deps): readonly Worker[] {
  const { jobs } = deps;
  if (jobs === undefined) return [];
  return Object.entries(works).map(([queue, work]) =>
    jobs.work(queue, (job) => underItsCorrelation(job, () => work(readingOnce(deps), job.data))),
  );
}
