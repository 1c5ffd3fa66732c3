import { conflict, notFound, OPERATOR, type Refusal, type TransactionCommand } from '@oja/domain';
import type { Position } from '@oja/platform';
import { v7 } from 'uuid';
import type { Deps } from '../../deps.js';
import { owedOf } from '../../owed.js';
import { command, following, nowOf, type OrderHandled } from '../order.js';
import { endPayout, isOfPayout, type Standing, standingOf } from './payout-checks.js';
import {
  destinationOf,
  type PayoutAccount,
  payoutAccountOf,
  payoutMemory,
  SEND_WITHIN_MS,
  type ShownAccount,
  shareOf,
} from './payouts.js';

/** A released share that was not paid out yet. */
export interface PayableShare {
  readonly transactionId: string;
  readonly sellerId: string;
  /** Kobo. */
  readonly amount: number;
  /** ISO 8601: since when. */
  readonly since: string;
  /** Once a payout was asked for. */
  readonly payoutId: string | null;
  /** How that is paid: by hand where there is no payout yet, or an operator has begun one. */
  readonly method: 'transfer' | 'manual';
  /** What the provider called the transfer last, in its own words; null before it was heard of. */
  readonly says: string | null;
  /** Whether the transfer waits for somebody at the provider. */
  readonly needsSomebody: boolean;
  /** Null when the seller has not said where to pay. */
  readonly account: PayoutAccount | null;
  /** Where a transfer that was asked for goes; null where that was not kept. */
  readonly sentTo: ShownAccount | null;
}

/** What sellers are owed, the oldest first. @throws ReadModelMissing before a projector has begun. */
export async function listPayable(deps: Deps): Promise<readonly PayableShare[]> {
  const accounts = new Map<string, PayoutAccount | null>();
  const payable: PayableShare[] = [];
  for await (const owed of owedOf(deps, 'payout', deps.clock.now())) {
    const { subject: transactionId, sellerId, amount, due: since, item: payoutId } = owed;
    if (sellerId === null || amount === null) continue;
    if (!accounts.has(sellerId)) accounts.set(sellerId, await payoutAccountOf(deps, sellerId));
    const account = accounts.get(sellerId) ?? null;
    const share = await shareOf(deps, transactionId, sellerId);
    const method = share?.payoutMethod === 'transfer' ? 'transfer' : 'manual';
    const kept = await payoutMemory(deps, transactionId, sellerId);
    const says = method === 'transfer' ? (kept?.memory.says ?? null) : null;
    const needsSomebody = says !== null && standingOf(says) === 'waits';
    payable.push({
      transactionId,
      sellerId,
      amount,
      since,
      payoutId,
      method,
      says,
      needsSomebody,
      account,
      sentTo: await destinationOf(deps, transactionId, share?.payoutAccount ?? null),
    });
  }
  return payable;
}

type MarkPaid =
  | { readonly ok: true; readonly position: Position | null }
  | { readonly ok: false; readonly refusal: Refusal };

const NO_SHARE = notFound('no_share', 'This seller has no part in such an order');
const BUSY = conflict('conflict', 'The order was changed at the same moment: try again');
const NOT_ASKED = conflict('no_payout', 'No payout of this share is under way');
const SENDING = conflict(
  'sending',
  'The transfer is being sent at this moment: try again in a minute',
);
const underWay = (says: string | null) =>
  conflict(
    'under_way',
    `The provider is paying this share by transfer already${says === null ? '' : ` (it says '${says}')`}; if it was settled otherwise, say so with a reason`,
  );

const outcomeOf = (handled: OrderHandled): MarkPaid => {
  if (handled.ok) return { ok: true, position: handled.position };
  return { ok: false, refusal: handled.conflict ? BUSY : handled.refusal };
};

const byHand = (deps: Deps, transactionId: string, what: TransactionCommand) =>
  command(deps, transactionId, what, following(v7(), deps.operator ?? OPERATOR)).then(outcomeOf);

/** How the transfer of a share stands at the provider; 'settled': it has just been recorded as ended. */
async function lookAt(
  deps: Deps,
  payoutId: string,
  amount: number,
): Promise<{ readonly standing: Standing | 'unknown'; readonly says: string | null }> {
  const told = await deps.payments.verifyTransfer(payoutId);
  if (!told.ok || !isOfPayout(told.value, payoutId, amount))
    return { standing: 'unknown', says: null };
  const standing = standingOf(told.value.status);
  if (standing === 'arrived' || standing === 'ended')
    await endPayout(deps, payoutId, standing, `transfer.${told.value.status}`);
  return { standing, says: told.value.status };
}

/** Whether a process may be about to send it: then nobody can say yet what will become of it. */
async function isBeingSent(deps: Deps, transactionId: string, sellerId: string): Promise<boolean> {
  const kept = await payoutMemory(deps, transactionId, sellerId);
  return deps.clock.now() <= (kept?.memory.sentAt ?? 0) + 2 * SEND_WITHIN_MS;
}

/**
 * Records that an operator has paid a released share by other means. Twice is once. Where a transfer
 * was asked for, the provider is looked at first: one that has arrived is recorded as that. One that may
 * still arrive is given up only with a `reason`, which stands in the events.
 */
export async function markPaid(
  deps: Deps,
  transactionId: string,
  sellerId: string,
  reason?: string,
): Promise<MarkPaid> {
  const share = await shareOf(deps, transactionId, sellerId);
  if (share === null) return { ok: false, refusal: NO_SHARE };
  if (share.status === 'paid-out') return { ok: true, position: null };
  if (share.payoutMethod === 'transfer' && share.payoutId !== null) {
    const { standing, says } = await lookAt(deps, share.payoutId, share.share);
    if (standing === 'arrived') return { ok: true, position: null };
    const isOpen = standing !== 'ended';
    if (isOpen && reason === undefined) return { ok: false, refusal: underWay(says) };
    if (isOpen && (await isBeingSent(deps, transactionId, sellerId)))
      return { ok: false, refusal: SENDING };
  }
  const why = reason ?? 'paid by hand';
  return byHand(deps, transactionId, {
    type: 'SettlePayout',
    sellerId,
    reason: why,
    at: nowOf(deps),
  });
}

/**
 * Ends a payout that is stuck, by transfer or begun by hand: the share is payable again, under another
 * reference. A transfer that has arrived meanwhile is recorded as that instead (and answers without a
 * position); while the provider may still pay the old one, no other is sent.
 */
export async function endTransfer(
  deps: Deps,
  transactionId: string,
  sellerId: string,
  reason: string,
): Promise<MarkPaid> {
  const share = await shareOf(deps, transactionId, sellerId);
  if (share === null) return { ok: false, refusal: NO_SHARE };
  if (share.status !== 'payout-requested' || share.payoutId === null)
    return { ok: false, refusal: NOT_ASKED };
  if (share.payoutMethod === 'transfer') {
    const { standing } = await lookAt(deps, share.payoutId, share.share);
    if (standing === 'arrived' || standing === 'ended') return { ok: true, position: null };
    if (await isBeingSent(deps, transactionId, sellerId)) return { ok: false, refusal: SENDING };
  }
  return byHand(deps, transactionId, {
    type: 'FailPayout',
    payoutId: share.payoutId,
    reason,
    givenUp: share.payoutMethod === 'transfer',
    at: nowOf(deps),
  });
}
