import type { ShareState } from '@oja/domain';
import { MINUTE_MS } from '@oja/domain/rules';
import type { PaymentFailure } from '@oja/platform';
import type { Deps } from '../../deps.js';
import { command, factId, following, nowOf, type OrderHandled } from '../commands.js';
import { loadOrder } from '../order.js';
import { endPayout } from './end-payout.js';
import { pauseAfter } from './pause.js';
import { type PayoutAccount, payoutAccountOf } from './payout-account.js';
import {
  type KeptPayout,
  type PayoutMemory,
  payoutMemory,
  rememberPayout,
} from './payout-memory.js';

/** Between two looks at a transfer that is under way, and after the first failure; doubled after each. */
const PAUSE_MS = 5 * MINUTE_MS;

/** The command by which a payout begins: the same until it has failed. */
export const requestPayout = (
  deps: Deps,
  transactionId: string,
  { sellerId, failedPayouts }: ShareState,
  method: 'transfer' | 'manual',
  actor: string,
): Promise<OrderHandled> =>
  command(
    deps,
    transactionId,
    { type: 'RequestPayout', sellerId, method, at: nowOf(deps) },
    following(factId('RequestPayout', transactionId, sellerId, failedPayouts, method), actor),
  );

/** The share of a seller in an order; null when there is none. */
export async function shareOf(
  deps: Deps,
  transactionId: string,
  sellerId: string,
): Promise<ShareState | null> {
  const order = await loadOrder(deps, transactionId);
  return order?.state.shares.find((share) => share.sellerId === sellerId) ?? null;
}

/**
 * Pays a released share by transfer, if transfers are on and the seller has said where to. Doing it
 * again pays once: a transfer's reference is the payout's id, and the provider knows it. Whether the
 * provider answered, if it was asked.
 */
export async function workPayout(
  deps: Deps,
  transactionId: string,
  sellerId: string,
): Promise<boolean> {
  if (!deps.settings.payouts) return true;
  const share = await shareOf(deps, transactionId, sellerId);
  if (share?.status !== 'released' && share?.status !== 'payout-requested') return true;
  // What an operator has begun to pay by hand is theirs to finish.
  if (share.payoutMethod === 'manual') return true;
  const before = await payoutMemory(deps, transactionId, sellerId);
  if (before !== null && before.memory.notBefore > deps.clock.now()) return true;
  const account = await payoutAccountOf(deps, sellerId);
  if (account === null) return true;

  const payoutId = await requested(deps, transactionId, share);
  if (payoutId === null) return true;
  const failures = before?.memory.failures ?? 0;
  const recipientCode = before?.memory.payoutId === payoutId ? before.memory.recipientCode : null;
  const memory = { payoutId, recipientCode, failures, notBefore: 0 };
  const kept = { memory, version: before?.version ?? null };
  return transfer(deps, { transactionId, sellerId, amount: share.share, kept }, account);
}

/** The id of the payout that is asked for; null when it was not allowed (any more). */
async function requested(
  deps: Deps,
  transactionId: string,
  share: ShareState,
): Promise<string | null> {
  if (share.status === 'payout-requested') return share.payoutId;
  const handled = await requestPayout(deps, transactionId, share, 'transfer', 'sweep');
  if (!handled.ok || handled.state.status === 'none') return null;
  const after = handled.state.shares.find(({ sellerId }) => sellerId === share.sellerId);
  return after?.payoutId ?? null;
}

interface Transfer {
  readonly transactionId: string;
  readonly sellerId: string;
  /** Kobo. */
  readonly amount: number;
  readonly kept: KeptPayout;
}

async function transfer(deps: Deps, asked: Transfer, account: PayoutAccount): Promise<boolean> {
  const { transactionId, amount, kept } = asked;
  const { payoutId } = kept.memory;
  const recipient =
    kept.memory.recipientCode === null
      ? await deps.payments.createRecipient(account)
      : { ok: true as const, value: { recipientCode: kept.memory.recipientCode } };
  if (!recipient.ok) {
    if (recipient.reason === 'refused')
      await endPayout(deps, payoutId, 'transfer.failed', 'The bank details were refused');
    return later(deps, asked, recipient);
  }
  const { recipientCode } = recipient.value;
  const known = await remember(deps, asked, { recipientCode });
  if (known === null) return true;
  const now = { ...asked, kept: known };
  const answer = await deps.payments.transfer({
    amount,
    recipientCode,
    reference: payoutId,
    reason: `Oja order ${transactionId}`,
  });
  if (!answer.ok) return later(deps, now, answer);
  const { status } = answer.value;
  if (status === 'success') {
    await endPayout(deps, payoutId, 'transfer.success');
  } else if (status === 'failed' || status === 'reversed') {
    await endPayout(deps, payoutId, `transfer.${status}`);
    await pause(deps, now);
  } else {
    await remember(deps, now, { notBefore: deps.clock.now() + PAUSE_MS });
  }
  return true;
}

/** A provider that is away is asked again by the next sweep; one that says no, after a pause. */
async function later(deps: Deps, asked: Transfer, failure: PaymentFailure): Promise<boolean> {
  const { payoutId } = asked.kept.memory;
  deps.logger.warn({ payoutId, reason: failure.reason }, 'a payout could not be made');
  if (failure.reason === 'unreachable') return false;
  await pause(deps, asked);
  return failure.reason !== 'rate-limited';
}

async function pause(deps: Deps, asked: Transfer): Promise<void> {
  const { failures } = asked.kept.memory;
  const notBefore = deps.clock.now() + pauseAfter(failures, PAUSE_MS);
  await remember(deps, asked, { failures: failures + 1, notBefore });
}

const remember = (
  deps: Deps,
  { transactionId, sellerId, kept }: Transfer,
  change: Partial<PayoutMemory>,
): Promise<KeptPayout | null> =>
  rememberPayout(deps, transactionId, sellerId, kept.version, { ...kept.memory, ...change });
