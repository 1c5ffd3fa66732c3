import type { ObligationDocument, ObligationKind } from '@oja/contracts/models';
import { DAY_MS } from '@oja/domain/rules';
import { inTraceIfAny, ReadModelMissing, withCorrelation } from '@oja/platform';
import { v7 as uuidv7 } from 'uuid';
import { releaseUnusedName } from '../accounts/names.js';
import {
  command,
  factId,
  followingOrder,
  loadOrder,
  nowOf,
  returnGoods,
} from '../checkout/order.js';
import { checkDisputedPayment } from '../checkout/settlement/disputed-payments.js';
import { checkArrivedPayout } from '../checkout/settlement/payout-checks.js';
import { workPayout } from '../checkout/settlement/payouts.js';
import { workRefunds } from '../checkout/settlement/refunds.js';
import { checkPayment } from '../checkout/verify-payment.js';
import { waitingNotices, workNotice } from '../checkout/webhook.js';
import { type Deps, readingOnce } from '../deps.js';
import { owedOf } from '../owed.js';
import { toForget } from './forgotten.js';

/** How many of an order's due times were kept. */
const SPACE = 'payment-checks';
/** Longer than payments are asked after. */
const KEPT_MS = 7 * DAY_MS;

type Kept = { readonly times: number };

/**
 * Asks after a payment if one of its due times has come since it was asked after last. Whether the
 * provider answered, if it was asked; without an answer the next sweep asks again.
 */
export async function checkWhenDue(deps: Deps, owed: ObligationDocument): Promise<boolean> {
  const { state, clock } = deps;
  const now = clock.now();
  const passed = (owed.dueTimes ?? []).filter((time) => Date.parse(time) <= now).length;
  const kept = await state.get<Kept>(SPACE, owed.subject, now);
  if (passed <= (kept?.value.times ?? 0)) return true;
  if ((await checkPayment(deps, owed.subject)) === 'unanswered') return false;
  await state.put(SPACE, owed.subject, { times: passed }, now, { expiresAt: now + KEPT_MS });
  return true;
}

/** The last look at an order that nobody paid; whether the provider answered. A later success still counts. */
async function expireOrder(deps: Deps, { subject }: ObligationDocument): Promise<boolean> {
  const checked = await checkPayment(deps, subject);
  if (checked === 'unpaid') {
    const what = { type: 'ExpireOrder', at: nowOf(deps) } as const;
    await command(deps, subject, what, followingOrder(factId('ExpireOrder', subject), 'sweep'));
  }
  return checked !== 'unanswered';
}

/** Whether the provider answered, where it was asked. */
type Work = (deps: Deps, owed: ObligationDocument) => Promise<boolean>;

/** Who does what is owed, in the order of the sweep: what brings money in stands first. */
const works: readonly (readonly [ObligationKind, Work])[] = [
  ['payment-check', checkWhenDue],
  ['order-expiry', expireOrder],
  ['dispute-check', (deps, { subject }) => checkDisputedPayment(deps, subject)],
  ['stock-return', putBack],
  ['refund', (deps, { subject }) => workRefunds(deps, subject, { news: false })],
  ['payout', (deps, { subject, sellerId }) => payOut(deps, subject, sellerId)],
  ['payout-check', checkArrivedPayout],
  ['release-name', (deps, { subject, sellerId }) => releaseName(deps, subject, sellerId)],
];

/**
 * What a payment had taken that goes back, which is done at once as well where nobody died meanwhile; and how a payment
 * stands that has taken goods and was not recorded, also of an order that has expired.
 */
async function putBack(deps: Deps, { subject }: ObligationDocument): Promise<boolean> {
  const order = await loadOrder(deps, subject);
  if (order === null) return true;
  await returnGoods(deps, order.state);
  return (await checkPayment(deps, subject)) !== 'unanswered';
}

const payOut = async (deps: Deps, transactionId: string, sellerId: string | null) =>
  sellerId === null || workPayout(deps, transactionId, sellerId);

async function releaseName(deps: Deps, nameKey: string, sellerId: string | null): Promise<boolean> {
  if (sellerId !== null) await releaseUnusedName(deps, { nameKey, sellerId });
  return true;
}

/** Of what is due once and then never again, so many a sweep: a market may have years of it at once. */
const MOST_A_SWEEP: Partial<Record<ObligationKind, number>> = { 'payout-check': 500 };

/** After so many silences in a row the rest of a kind is left to the next sweep: each costs its time-out. */
const MAX_SILENCES = 5;

/** One thing to do; `name` is its own among all, and names it in the log. */
interface Task {
  readonly name: string;
  work(): Promise<boolean>;
}

type Tasks = () => AsyncGenerator<Task>;

interface Kind {
  readonly tasks: Tasks;
  readonly most: number;
}

async function* noticeTasks(deps: Deps): AsyncGenerator<Task> {
  for await (const { key } of waitingNotices(deps))
    yield { name: `notice/${key}`, work: () => workNotice(readingOnce(deps), key) };
}

async function* owedTasks(
  deps: Deps,
  kind: ObligationKind,
  work: Work,
  now: number,
): AsyncGenerator<Task> {
  for await (const owed of owedOf(deps, kind, now)) {
    const name = [kind, owed.subject, owed.item ?? owed.sellerId ?? ''].join('/');
    yield { name, work: () => work(readingOnce(deps), owed) };
  }
}

async function* forgettingTasks(deps: Deps): AsyncGenerator<Task> {
  for await (const { keySubject, work } of toForget(deps))
    yield { name: `destroy-key/${keySubject}`, work };
}

/** What the provider answered nothing about: tried again only after everything else of its kind. */
export type Silent = Set<string>;

/** Those of which nothing is known first: what stays silent for ever must not stand before the rest. */
async function* silentLast(tasks: Tasks, silent: Silent): AsyncGenerator<Task> {
  const last = new Set(silent);
  for await (const task of tasks()) if (!last.has(task.name)) yield task;
  if (last.size === 0) return;
  for await (const task of tasks()) if (last.has(task.name)) yield task;
}

/** A thing that fails is found again by the next sweep; it stops nothing else. */
async function attempt({ logger }: Deps, { name, work }: Task): Promise<boolean> {
  try {
    const kind = name.split('/', 1)[0];
    return await inTraceIfAny(`sweep ${kind}`, {}, () => withCorrelation(uuidv7(), work));
  } catch (error) {
    logger.warn({ what: name, err: error }, 'something owed could not be done');
    return true;
  }
}

/**
 * Does what is due now and was not done sooner by a job: the market depends on this alone. `now`, in
 * epoch milliseconds, says what is due; the work itself goes by the clock, since a sweep may be long.
 *
 * `goOn` is asked before each thing: whether this process still is the one that sweeps. `silent` is
 * kept from one sweep to the next.
 */
export async function runSweep(
  deps: Deps,
  now: number = deps.clock.now(),
  goOn: () => Promise<boolean> = async () => true,
  silent: Silent = new Set(),
): Promise<void> {
  const all = Number.POSITIVE_INFINITY;
  const kinds: readonly Kind[] = [
    { tasks: () => noticeTasks(deps), most: all },
    ...works.map(([kind, work]) => ({
      tasks: () => owedTasks(deps, kind, work, now),
      most: MOST_A_SWEEP[kind] ?? all,
    })),
    { tasks: () => forgettingTasks(deps), most: all },
  ];
  try {
    for (const { tasks, most } of kinds) {
      let [done, silences] = [0, 0];
      for await (const task of silentLast(tasks, silent)) {
        if (!(await goOn())) return;
        const answered = await attempt(deps, task);
        silences = answered ? 0 : silences + 1;
        if (answered) silent.delete(task.name);
        else silent.add(task.name);
        done += 1;
        if (silences === MAX_SILENCES || done === most) break;
      }
    }
  } catch (error) {
    if (!(error instanceof ReadModelMissing)) throw error;
    deps.logger.info({}, 'nothing is known to be owed yet');
  }
}
