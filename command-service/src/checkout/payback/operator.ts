import { type ObligationDocument, obligations } from '@oja/contracts/models';
import { conflict, notFound, type Refusal } from '@oja/domain';
import type { Position } from '@oja/platform';
import type { Deps } from '../../deps.js';
import { command, factId, following, nowOf, type OrderHandled } from '../commands.js';
import { type PayoutAccount, payoutAccountOf } from './payout-account.js';
import { requestPayout, shareOf } from './payouts.js';

/** The operator of the market, in metadata. */
export const OPERATOR = 'operator';

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
  /** Null when the seller has not said where to pay. */
  readonly account: PayoutAccount | null;
}

/** What sellers are owed, the oldest first. @throws ReadModelMissing before a projector has begun. */
export async function listPayable(deps: Deps): Promise<readonly PayableShare[]> {
  const due = await deps.readModels.liveCollection(obligations, 'due');
  const page = await deps.documents.find<ObligationDocument>(due, {
    filter: [{ field: 'kind', op: 'eq', value: 'payout' }],
    sort: [{ field: 'due', order: 'asc' }],
  });
  const accounts = new Map<string, PayoutAccount | null>();
  const payable: PayableShare[] = [];
  for (const { document } of page.items) {
    const { subject: transactionId, sellerId, amount, due: since, item: payoutId } = document;
    if (sellerId === null || amount === null) continue;
    if (!accounts.has(sellerId)) accounts.set(sellerId, await payoutAccountOf(deps, sellerId));
    const account = accounts.get(sellerId) ?? null;
    payable.push({ transactionId, sellerId, amount, since, payoutId, account });
  }
  return payable;
}

export type MarkPaid =
  | { readonly ok: true; readonly position: Position | null }
  | { readonly ok: false; readonly refusal: Refusal };

const NO_SHARE = notFound('no_share', 'This seller has no part in such an order');
const UNDER_WAY = conflict('under_way', 'The provider is paying this share by transfer already');
const BUSY = conflict('conflict', 'The order was changed at the same moment: try again');

const refusalOf = (handled: Extract<OrderHandled, { readonly ok: false }>): MarkPaid => ({
  ok: false,
  refusal: handled.conflict ? BUSY : handled.refusal,
});

/** Records that an operator has paid a released share by other means. Twice is once. */
export async function markPaid(
  deps: Deps,
  transactionId: string,
  sellerId: string,
): Promise<MarkPaid> {
  const share = await shareOf(deps, transactionId, sellerId);
  if (share === null) return { ok: false, refusal: NO_SHARE };
  if (share.status === 'paid-out') return { ok: true, position: null };
  if (share.payoutMethod === 'transfer') return { ok: false, refusal: UNDER_WAY };
  const asked = await requestPayout(deps, transactionId, share, 'manual', OPERATOR);
  if (!asked.ok) return refusalOf(asked);
  const after = await shareOf(deps, transactionId, sellerId);
  if (after === null || after.payoutId === null) return { ok: false, refusal: BUSY };
  // Of an operator and a sweep at the same moment the first has begun it.
  if (after.payoutMethod === 'transfer') return { ok: false, refusal: UNDER_WAY };
  const { payoutId } = after;
  const done = await command(
    deps,
    transactionId,
    { type: 'CompletePayout', payoutId, at: nowOf(deps) },
    following(factId('CompletePayout', payoutId), OPERATOR),
  );
  return done.ok ? { ok: true, position: done.position } : refusalOf(done);
}
