import type { LetterKind, ObligationDocument, ObligationKind } from '@oja/contracts/models';
import {
  addOrderToLogContext,
  inTraceIfNotEmpty,
  nowOf,
  ReadModelMissing,
  withCorrelation,
} from '@oja/platform';
import { v7 as uuidv7 } from 'uuid';
import { releaseExpiredClaim } from '../accounts/names.js';
import { loadOrder, returnStock, runOrderCommand } from '../checkout/order.js';
import { checkWhenDue } from '../checkout/payment-checks.js';
import { checkDisputedPayment } from '../checkout/settlement/disputed-payments.js';
import { checkArrivedPayout } from '../checkout/settlement/payout-checks.js';
import { workPayout } from '../checkout/settlement/payouts.js';
import { workRefunds } from '../checkout/settlement/refunds.js';
import { waitingWebhooks } from '../checkout/stored-webhooks.js';
import { checkPayment } from '../checkout/verify-payment.js';
import { workWebhook } from '../checkout/webhook.js';
import { factCommandId, orderFactContext } from '../commands.js';
import { type Deps, dueObligations, withOrderCache } from '../deps.js';
import { erasureTasks } from '../erasure.js';

/**
 * Checks an order for the last time and expires it if it is unpaid. Returns false when the provider
 * did not answer. A later success still counts.
 */
async function expireOrder(deps: Deps, { subject }: ObligationDocument): Promise<boolean> {
  const checked = await checkPayment(deps, subject);
  if (checked === 'unpaid') {
    const what = { type: 'ExpireOrder', at: nowOf(deps) } as const;
    await runOrderCommand(
      deps,
      subject,
      what,
      orderFactContext(factCommandId('ExpireOrder', subject), 'sweep'),
    );
  }
  return checked !== 'unanswered';
}

/** Returns false when the provider was asked and did not answer. */
type Work = (deps: Deps, owed: ObligationDocument) => Promise<boolean>;

/** The kinds that are worked one by one. Keys to destroy have a list of their own; the projector sends letters. */
type WorkedKind = Exclude<ObligationKind, LetterKind | 'destroy-key'>;

/** The work for each kind of obligation, in sweep order. Incoming money comes first. */
const works: Readonly<Record<WorkedKind, Work>> = {
  'payment-check': (deps, { subject, dueTimes }) => checkWhenDue(deps, subject, dueTimes ?? []),
  'order-expiry': expireOrder,
  'dispute-check': (deps, { subject }) => checkDisputedPayment(deps, subject),
  'stock-return': returnUnsoldStock,
  refund: (deps, { subject }) => workRefunds(deps, subject, { news: false }),
  payout: payOut,
  'payout-check': checkArrivedPayout,
  'release-name': (deps, { subject, sellerId }) => releaseName(deps, subject, sellerId),
};

const isWorked = (kind: string): kind is WorkedKind => Object.hasOwn(works, kind);

/**
 * Returns stock that refunded payments had taken; this is also done at once with the refund, unless the process
 * died. Then checks payments that took stock but were never recorded, even if the order has expired.
 */
async function returnUnsoldStock(deps: Deps, { subject }: ObligationDocument): Promise<boolean> {
  const order = await loadOrder(deps, subject);
  if (order === null) return true;
  await returnStock(deps, order.state);
  return (await checkPayment(deps, subject)) !== 'unanswered';
}

/** Where all is paid by hand, what was never begun is no work: there may be thousands of such shares. */
async function payOut(deps: Deps, { subject, sellerId, item }: ObligationDocument) {
  if (sellerId === null || (item === null && !deps.settings.payouts)) return true;
  return workPayout(deps, subject, sellerId);
}

async function releaseName(deps: Deps, nameKey: string, sellerId: string | null): Promise<boolean> {
  if (sellerId !== null) await releaseExpiredClaim(deps, { nameKey, sellerId });
  return true;
}

/** The most tasks per sweep, for kinds that come due only once: a market may have years of them at once. */
const MAX_PER_SWEEP: Partial<Record<ObligationKind, number>> = { 'payout-check': 500 };

/**
 * After this many unanswered tasks in a row, the rest of a kind is left to the next sweep, because
 * each costs a time-out.
 */
const MAX_UNANSWERED = 5;

/** One task. `name` is unique, begins with that of its kind and a slash, and identifies the task in the log. */
interface Task {
  readonly name: string;
  work(): Promise<boolean>;
}

type Tasks = () => AsyncGenerator<Task>;

interface Kind {
  readonly name: string;
  readonly tasks: Tasks;
  readonly most: number;
}

async function* webhookTasks(deps: Deps): AsyncGenerator<Task> {
  for await (const { key } of waitingWebhooks(deps))
    yield { name: `notice/${key}`, work: () => workWebhook(withOrderCache(deps), key) };
}

async function* owedTasks(
  deps: Deps,
  kind: ObligationKind,
  work: Work,
  now: number,
): AsyncGenerator<Task> {
  for await (const owed of dueObligations(deps, kind, now)) {
    const name = [kind, owed.subject, owed.item ?? owed.sellerId ?? ''].join('/');
    yield {
      name,
      async work() {
        // Of all others, the subject is an order.
        if (kind !== 'release-name') addOrderToLogContext(owed.subject);
        return work(withOrderCache(deps), owed);
      },
    };
  }
}

async function* erasureTasksOfSweep(deps: Deps): AsyncGenerator<Task> {
  for await (const { keySubject, work } of erasureTasks(deps))
    yield { name: `destroy-key/${keySubject}`, work };
}

/** Names of tasks that the provider did not answer, the one tried longest ago first. */
export type UnansweredTasks = Set<string>;

/**
 * Yields the unanswered tasks last, so that those that never get an answer do not block the rest, and of them first the
 * one tried longest ago, so that they do not block each other. An unanswered task that is not listed any more was done by
 * a job, and is forgotten.
 */
async function* unansweredLast(
  { name, tasks }: Kind,
  unanswered: UnansweredTasks,
): AsyncGenerator<Task> {
  const before = [...unanswered].filter((each) => each.startsWith(`${name}/`));
  const last = new Map<string, Task | null>(before.map((each) => [each, null]));
  for await (const task of tasks())
    if (last.has(task.name)) last.set(task.name, task);
    else yield task;
  for (const [each, task] of last)
    if (task === null) unanswered.delete(each);
    else yield task;
}

/** Runs a task. A failure stops nothing else, and the next sweep finds the task again. */
async function runTask({ logger }: Deps, { name, work }: Task): Promise<boolean> {
  try {
    const kind = name.split('/', 1)[0];
    return await inTraceIfNotEmpty(`sweep ${kind}`, {}, () => withCorrelation(uuidv7(), work));
  } catch (error) {
    logger.warn(
      { what: name, err: error },
      'an obligation could not be met yet: the next sweep tries again',
    );
    return true;
  }
}

/**
 * Does everything that is due and that no job has done yet. The market depends on this alone, not
 * on the queues. `now` (epoch milliseconds) decides what is due; the work itself uses the clock,
 * because a sweep may take long.
 *
 * `shouldContinue` is asked before each task whether this process still holds the sweep. `unanswered` is kept
 * between sweeps.
 */
export async function runSweep(
  deps: Deps,
  now: number = deps.clock.now(),
  shouldContinue: () => Promise<boolean> = async () => true,
  unanswered: UnansweredTasks = new Set(),
): Promise<void> {
  const all = Number.POSITIVE_INFINITY;
  const kinds: readonly Kind[] = [
    { name: 'notice', tasks: () => webhookTasks(deps), most: all },
    ...Object.keys(works)
      .filter(isWorked)
      .map((kind) => ({
        name: kind,
        tasks: () => owedTasks(deps, kind, works[kind], now),
        most: MAX_PER_SWEEP[kind] ?? all,
      })),
    { name: 'destroy-key', tasks: () => erasureTasksOfSweep(deps), most: all },
  ];
  try {
    for (const kind of kinds) {
      let [done, silences] = [0, 0];
      for await (const task of unansweredLast(kind, unanswered)) {
        if (!(await shouldContinue())) return;
        const answered = await runTask(deps, task);
        silences = answered ? 0 : silences + 1;
        unanswered.delete(task.name);
        if (!answered) unanswered.add(task.name);
        done += 1;
        if (silences === MAX_UNANSWERED || done === kind.most) break;
      }
    }
  } catch (error) {
    if (!(error instanceof ReadModelMissing)) throw error;
    deps.logger.info({}, 'the sweep waits until the read model obligations is built');
  }
}
