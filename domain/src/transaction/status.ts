import type { PlacedOrder, ShareState, TransactionState } from './state.js';

/** How the user's calls name where a delivery stands; DELIVERED and REFUNDED are closed. */
export type ReceivedStatus = 'PENDING' | 'DISPUTED' | 'DELIVERED' | 'REFUNDED';

const given = (share: ShareState) =>
  share.status === 'released' || share.status === 'payout-requested' || share.status === 'paid-out';

/**
 * DELIVERED: no dispute open and any share released; REFUNDED: everything went back. Departure: with
 * one share released and another still held it stays PENDING, since a DELIVERED record can be removed,
 * and then nobody could confirm what is held.
 */
export function receivedStatus({ shares }: PlacedOrder): ReceivedStatus {
  if (shares.some(({ status }) => status === 'disputed')) return 'DISPUTED';
  if (shares.some(({ status }) => status === 'held' || status === 'none')) return 'PENDING';
  return shares.some(given) ? 'DELIVERED' : 'REFUNDED';
}

/** Paid and not closed: its goods cannot be removed, its sellers not be erased. */
export function isOpen(state: TransactionState): boolean {
  if (state.status === 'none' || state.payment === null) return false;
  const received = receivedStatus(state);
  return received === 'PENDING' || received === 'DISPUTED';
}

/** A payment may still come: not paid, whatever the provider has said so far. */
export const awaitsPayment = (state: PlacedOrder) => state.payment === null;
