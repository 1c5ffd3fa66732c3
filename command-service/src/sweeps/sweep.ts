import type { ObligationDocument, ObligationKind } from '@oja/contracts/models';
import { ReadModelMissing, withCorrelation } from '@oja/platform';
import { v7 as uuidv7 } from 'uuid';
import { releaseUnusedName } from '../accounts/names.js';
import { workPayout } from '../checkout/payback/payouts.js';
import { workRefunds } from '../checkout/payback/refunds.js';
import { waitingNotices } from '../checkout/webhook/inbox.js';
import { workNotice } from '../checkout/webhook/work.js';
import type { Deps } from '../deps.js';
import { forgetWhenDue } from './forgotten.js';
import { dueNow } from './owed.js';
import { checkWhenDue, expireOrder } from './payment-checks.js';

/** Whether the provider answered, where it was asked. */
type Work = (deps: Deps, owed: ObligationDocument) => Promise<boolean>;

/** Who does what is owed, in the order of the sweep: what brings money in stands first. */
const works: readonly (readonly [ObligationKind, Work])[] = [
  ['payment-check', checkWhenDue],
  ['order-expiry', expireOrder],
  ['refund', (deps, { subject }) => workRefunds(deps, subject)],
  ['payout', (deps, { subject, sellerId }) => payOut(deps, subject, sellerId)],
  ['destroy-key', forgetWhenDue],
  ['release-name', (deps, { subject, sellerId }) => releaseName(deps, subject, sellerId)],
];

const payOut = async (deps: Deps, transactionId: string, sellerId: string | null) =>
  sellerId === null || workPayout(deps, transactionId, sellerId);

async function releaseName(deps: Deps, nameKey: string, sellerId: string | null): Promise<boolean> {
  if (sellerId !== null) await releaseUnusedName(deps, { nameKey, sellerId });
  return true;
}

/** After so many silences in a row the rest of a kind is left to the next sweep: each costs its time-out. */
const MAX_SILENCES = 5;
const NOTICES = 500;

/** One thing to do; `what` names it in the log. */
interface Task {
  readonly what: object;
  work(): Promise<boolean>;
}

async function* noticeTasks(deps: Deps): AsyncGenerator<Task> {
  for (const notice of await waitingNotices(deps, NOTICES))
    yield { what: { notice }, work: () => workNotice(deps, notice) };
}

async function* owedTasks(deps: Deps, kind: ObligationKind, work: Work): AsyncGenerator<Task> {
  for await (const owed of dueNow(deps, kind, deps.clock.now()))
    yield { what: { kind, subject: owed.subject }, work: () => work(deps, owed) };
}

/** A thing that fails is found again by the next sweep; it stops nothing else. */
async function attempt({ logger }: Deps, { what, work }: Task): Promise<boolean> {
  try {
    return await withCorrelation(uuidv7(), work);
  } catch (error) {
    logger.warn({ ...what, err: error }, 'something owed could not be done');
    return true;
  }
}

/**
 * Does what is due now and was not done sooner by a job: the market depends on this alone.
 *
 * `goOn` is asked before each thing: whether this process still is the one that sweeps.
 */
export async function runSweep(
  deps: Deps,
  now: number = deps.clock.now(),
  goOn: () => Promise<boolean> = async () => true,
): Promise<void> {
  const at: Deps = { ...deps, clock: { now: () => now } };
  const kinds = [noticeTasks(at), ...works.map(([kind, work]) => owedTasks(at, kind, work))];
  try {
    for (const tasks of kinds) {
      let silences = 0;
      for await (const task of tasks) {
        if (!(await goOn())) return;
        silences = (await attempt(deps, task)) ? 0 : silences + 1;
        if (silences === MAX_SILENCES) break;
      }
    }
  } catch (error) {
    if (!(error instanceof ReadModelMissing)) throw error;
    deps.logger.info({}, 'nothing is known to be owed yet');
  }
}
