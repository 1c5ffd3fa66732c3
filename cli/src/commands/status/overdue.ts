import { loadPayout, loadRefunds } from '@oja/command-service';
import {
  type ObligationDocument,
  type ObligationKind,
  obligations,
  type SellerDocument,
  sellers,
} from '@oja/contracts/models';
import { DAY_MS } from '@oja/domain';
import { yieldToEventLoop } from '@oja/platform';
import { isWaitingForReceiver, letterSubject, readRetryState } from '@oja/projector';
import type { AppContext } from '../../runtime/context.js';
import { liveDocuments } from '../shared/live-documents.js';

/** What is read to tell what is owed. */
export interface ObligationDeps extends Pick<AppContext, 'readModels' | 'clock'> {
  readonly config: Pick<AppContext['config'], 'payouts'>;
  readonly engines: Pick<AppContext['engines'], 'documents' | 'state' | 'keys'>;
}

type Owed = readonly ObligationDocument[];

/** Obligations that are looked at together. Between two such groups a running market serves requests. */
const BATCH_SIZE = 100;

/**
 * How long the provider may have a refund or a transfer before a person should ask about it. A refund reaches the
 * buyer within 10 working days, which are 14 days; a transfer is quicker. Source: Paystack, 'Initiating and
 * completing a refund'.
 */
const PROVIDER_TAKES_AT_MOST_MS = 14 * DAY_MS;

/** Of late obligations of a kind, those that wait neither for a person nor for their own time. */
export async function findOverdue(
  deps: ObligationDeps,
  kind: ObligationKind,
  late: Owed,
): Promise<Owed> {
  const overdue: ObligationDocument[] = [];
  for (let from = 0; from < late.length; from += BATCH_SIZE) {
    const some = late.slice(from, from + BATCH_SIZE);
    overdue.push(...(await notWaiting(deps, kind, some)));
    await yieldToEventLoop();
  }
  return overdue;
}

async function notWaiting(deps: ObligationDeps, kind: ObligationKind, some: Owed): Promise<Owed> {
  switch (kind) {
    case 'payment-check':
    case 'dispute-check':
      return [];
    case 'payout':
      return deps.config.payouts ? payoutsNotWaiting(deps, some) : [];
    case 'refund':
      return rejectWaiting(some, (owed) => isRefundUnderWay(deps, owed));
    case 'order-expiry':
    case 'stock-return':
    case 'payout-check':
    case 'destroy-key':
    case 'release-name':
      return some;
    default:
      return rejectWaiting(some, async (owed) => {
        const { state } = deps.engines;
        const now = deps.clock.now();
        const subject = await letterSubject(state, kind, owed, now);
        return isWaitingForReceiver(await readRetryState(state, kind, subject, now));
      });
  }
}

async function rejectWaiting(
  some: Owed,
  waits: (owed: ObligationDocument) => Promise<boolean>,
): Promise<Owed> {
  const waiting = await Promise.all(some.map(waits));
  return some.filter((_, n) => waiting[n] === false);
}

/**
 * Whether the provider has accepted a refund, which it then makes within days. A failed one is not under way, nor is one
 * for which somebody must act there first: it would stay as it is.
 */
async function isRefundUnderWay(
  { engines, clock }: ObligationDeps,
  { subject, item, due }: ObligationDocument,
): Promise<boolean> {
  const now = clock.now();
  const refunds = await loadRefunds({ state: engines.state, clock }, subject);
  const { progress } = refunds.get(item ?? '') ?? {};
  const { providerRefundId = null, notBefore = 0, needsSomebody = false } = progress ?? {};
  // A refund that had failed before is younger than its obligation: it could be asked for again a day after the last.
  const since = Math.max(Date.parse(due), notBefore);
  return providerRefundId !== null && !needsSomebody && now < since + PROVIDER_TAKES_AT_MOST_MS;
}

/**
 * Of late payouts by transfer, those that nothing keeps from being paid. What is read for one may already tell that
 * it waits, so the rest is read only for the others.
 */
async function payoutsNotWaiting(deps: ObligationDeps, some: Owed): Promise<Owed> {
  const payable = await withAccount(deps, some);
  if (payable.length === 0) return [];
  const checks = await openChecks(deps, payable);
  const undisputed = payable.filter(({ subject }) => !checks.disputed.has(subject));
  return rejectWaiting(undisputed, (owed) => isTransferUnderWay(deps, owed, checks.transfers));
}

/** The sellers of these obligations, by id. */
async function sellersOf(
  { engines, readModels }: Pick<ObligationDeps, 'engines' | 'readModels'>,
  some: Owed,
): Promise<ReadonlyMap<string, SellerDocument>> {
  const found = new Map<string, SellerDocument>();
  if ((await readModels.checkpointOf(sellers)) === null) return found;
  const collection = await readModels.liveCollection(sellers, 'sellers');
  const ids = [...new Set(some.map(({ sellerId }) => sellerId ?? ''))];
  const documents = await engines.documents.getMany<SellerDocument>(collection, ids);
  for (const [n, id] of ids.entries()) {
    const seller = documents[n];
    if (seller) found.set(id, seller);
  }
  return found;
}

/** Those whose seller has an account. An erased seller can give none any more: an operator settles the share. */
async function withAccount(deps: ObligationDeps, some: Owed): Promise<Owed> {
  const known = await sellersOf(deps, some);
  return some.filter(({ sellerId }) => {
    const seller = known.get(sellerId ?? '');
    return seller === undefined || (seller.payoutAccount !== null && !seller.erased);
  });
}

/**
 * How many shares of erased sellers are to be paid out, as after a bank has returned a transfer: they can give no bank
 * account any more, so an operator pays them whatever PAYOUTS says.
 */
export async function countOwedToErased(deps: ObligationDeps): Promise<number> {
  if ((await deps.readModels.checkpointOf(obligations)) === null) return 0;
  const payouts = liveDocuments<ObligationDocument>(deps, obligations, 'due', {
    filter: [{ field: 'kind', op: 'eq', value: 'payout' }],
  });
  let [count, some]: [number, ObligationDocument[]] = [0, []];
  const look = async () => {
    const known = await sellersOf(deps, some);
    count += some.filter(({ sellerId }) => known.get(sellerId ?? '')?.erased).length;
    some = [];
    await yieldToEventLoop();
  };
  for await (const { document } of payouts) {
    some.push(document);
    if (some.length === BATCH_SIZE) await look();
  }
  await look();
  return count;
}

/** The orders with an open dispute, and the ids of the transfers that may still be paid or come back. */
async function openChecks(deps: ObligationDeps, some: Owed) {
  const orders = [...new Set(some.map(({ subject }) => subject))];
  const [disputed, transfers] = [new Set<string>(), new Set<string>()];
  const ofOrders = liveDocuments<ObligationDocument>(deps, obligations, 'due', {
    filter: [{ field: 'subject', op: 'in', values: orders }],
  });
  for await (const { document } of ofOrders) {
    const { kind, subject, item } = document;
    if (kind === 'dispute-check') disputed.add(subject);
    if (kind === 'payout-check' && item !== null) transfers.add(item);
  }
  return { disputed, transfers };
}

/** A transfer that has arrived settles its share, unless its amount or reference is wrong, which is no waiting. */
const ARRIVED = 'success';

/**
 * Whether the provider is at work on a transfer of the share, or somebody must approve it there. It may be an earlier
 * one that an operator has ended: while it can still be paid, no other is sent. `open`: ids of the transfers that
 * have not failed for good.
 */
async function isTransferUnderWay(
  { engines, clock }: ObligationDeps,
  { subject, sellerId, due }: ObligationDocument,
  open: ReadonlySet<string>,
): Promise<boolean> {
  const now = clock.now();
  const kept = await loadPayout({ state: engines.state, clock }, subject, sellerId ?? '');
  const { payoutId = '', says = null } = kept?.progress ?? {};
  if (says === null || says === ARRIVED || !open.has(payoutId)) return false;
  return now < Date.parse(due) + PROVIDER_TAKES_AT_MOST_MS;
}
