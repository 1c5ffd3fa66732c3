import type { ShareStatus } from '@oja/contracts/models';
import { type EventOf, type ReceivedStatus, transactionEvents } from '@oja/domain';
import { pick } from './define.js';

interface Share {
  readonly sellerId: string;
  readonly status: ShareStatus;
}

/** The events that change the status of a seller's share. */
export const shareEvents = pick(
  transactionEvents,
  'DeliveryDisputed',
  'SellerShareReleased',
  'PayoutCompleted',
  'PayoutFailed',
  'RefundRequested',
  'PaymentReversed',
  'PaymentRestored',
);
export type ShareEvent = EventOf<typeof shareEvents>;

/** The shares after an event. All projections use this, so that they agree on when an order is closed. */
export function sharesAfter<S extends Share>(
  shares: readonly S[],
  event: ShareEvent,
): readonly S[] {
  switch (event.type) {
    case 'DeliveryDisputed':
      return changeShares(shares, event.data.sellerIds, (status) =>
        status === 'held' ? 'disputed' : status,
      );
    case 'SellerShareReleased':
      return changeShares(shares, [event.data.sellerId], () => 'released');
    case 'PayoutCompleted':
      return changeShares(shares, [event.data.sellerId], () => 'paid-out');
    case 'PayoutFailed':
      return changeShares(shares, [event.data.sellerId], () =>
        event.data.forfeited ? 'refunded' : 'released',
      );
    case 'RefundRequested':
      return event.data.sellerId === null
        ? shares
        : changeShares(shares, [event.data.sellerId], () => 'refunded');
    case 'PaymentRestored': {
      const restored = new Map(event.data.shares.map((share) => [share.sellerId, share.status]));
      return shares.map((share) => {
        const status = restored.get(share.sellerId);
        if (status === undefined) return share;
        return { ...share, status: status === 'payout-requested' ? 'released' : status };
      });
    }
    case 'PaymentReversed':
      // Shares that were paid out are lost to the market; all others went back with the payment.
      return shares.map((share) =>
        share.status === 'paid-out' ? share : { ...share, status: 'refunded' },
      );
  }
}

/** Whether nothing about the order is open any more. */
export function isClosed(received: ReceivedStatus): boolean {
  return received === 'DELIVERED' || received === 'REFUNDED';
}

function changeShares<S extends Share>(
  shares: readonly S[],
  sellers: readonly string[],
  to: (status: ShareStatus) => ShareStatus,
): readonly S[] {
  return shares.map((share) =>
    sellers.includes(share.sellerId) ? { ...share, status: to(share.status) } : share,
  );
}
