import { heldAsideReason, type TransactionEvent } from './events.js';
import type { PlacedOrder, RefundState, ShareState, TransactionState } from './state.js';

/** Changes the shares of these sellers. */
const withShares = (
  state: PlacedOrder,
  isOf: (share: ShareState) => boolean,
  change: (share: ShareState) => Partial<ShareState>,
): PlacedOrder => ({
  ...state,
  shares: state.shares.map((share) => (isOf(share) ? { ...share, ...change(share) } : share)),
});

const withShare = (
  state: PlacedOrder,
  sellerId: string,
  change: (share: ShareState) => Partial<ShareState>,
): PlacedOrder => withShares(state, (share) => share.sellerId === sellerId, change);

const withRefund = (
  state: PlacedOrder,
  refundId: string,
  status: RefundState['status'],
  byReversal = false,
): PlacedOrder => ({
  ...state,
  refunds: state.refunds.map((refund) =>
    refund.refundId === refundId ? { ...refund, status, byReversal } : refund,
  ),
});

const requestedRefund = (
  of: Pick<RefundState, 'refundId' | 'sellerId' | 'providerId' | 'amount'>,
): RefundState => ({ ...of, status: 'requested', byReversal: false });

/** A chargeback voids the refunds of goods. Money held aside belongs to another payment and is not affected. */
const voided = (refund: RefundState): RefundState =>
  refund.sellerId === null || refund.status === 'completed'
    ? refund
    : { ...refund, status: 'void' };

const withReported = ({ reportedLate }: ShareState, payoutId: string) =>
  reportedLate.includes(payoutId) ? reportedLate : [...reportedLate, payoutId];

/** A transfer that was given up pays the share after all, as if it had never been given up. */
const paidByLatePayout = (share: ShareState, payoutId: string): Partial<ShareState> => ({
  payoutId,
  payoutMethod: 'transfer',
  payoutAccount: null,
  reportedLate: withReported(share, payoutId),
  doubled: share.doubled.filter((id) => id !== payoutId),
});

type Placed = Extract<TransactionEvent, { readonly type: 'OrderPlaced' }>;

/** An order as it is before anybody has paid. */
function placed(data: Placed['data']): PlacedOrder {
  const { transactionId, at, lines, deliveryFee, amount, shares } = data;
  const { fullName, email, homeAddress, phoneNumber, secret } = data;
  return {
    status: 'placed',
    transactionId,
    placedAt: at,
    lines,
    deliveryFee,
    amount,
    buyer: { fullName, email, homeAddress, phoneNumber, secret },
    shares: shares.map((share) => ({
      ...share,
      status: 'none',
      payoutId: null,
      payoutMethod: null,
      payoutAccount: null,
      clearedPayouts: [],
      failedPayouts: 0,
      givenUp: [],
      reportedLate: [],
      doubled: [],
      reversedFrom: null,
    })),
    attempts: [],
    payment: null,
    mismatched: [],
    reversed: false,
    reversals: 0,
    reversedAmount: 0,
    returned: { disputeIds: [], open: 0, counted: 0 },
    openDisputes: [],
    closedDisputes: [],
    expired: false,
    confirmed: false,
    notYetAt: null,
    refunds: [],
    buyerRemoved: false,
    receiptRequests: [],
  };
}

type ShareEvent = Extract<
  TransactionEvent,
  {
    readonly type:
      | 'SellerShareReleased'
      | 'PayoutRequested'
      | 'PayoutCompleted'
      | 'PayoutCleared'
      | 'PayoutDoubled'
      | 'DoubledPayoutReturned'
      | 'PayoutFailed';
  }
>;

/** What an event about one seller's share changes of it. `isReversed`: the provider has taken the payment back. */
function shareChange(
  share: ShareState,
  event: ShareEvent,
  isReversed: boolean,
): Partial<ShareState> {
  switch (event.type) {
    case 'SellerShareReleased':
      return { status: 'released' };
    case 'PayoutRequested': {
      const { payoutId, method, accountEnd, bankName } = event.data;
      return {
        status: 'payout-requested',
        payoutId,
        payoutMethod: method,
        payoutAccount: accountEnd && bankName ? { accountEnd, bankName } : null,
      };
    }
    case 'PayoutCompleted': {
      const { payoutId } = event.data;
      return {
        ...(share.payoutId === payoutId ? {} : paidByLatePayout(share, payoutId)),
        status: 'paid-out',
        clearedPayouts: share.clearedPayouts.filter((id) => id !== payoutId),
      };
    }
    case 'PayoutCleared': {
      const { payoutId, givenUp } = event.data;
      return {
        reportedLate: givenUp ? withReported(share, payoutId) : share.reportedLate,
        clearedPayouts: [...share.clearedPayouts, payoutId],
      };
    }
    case 'PayoutDoubled': {
      const { payoutId } = event.data;
      return {
        reportedLate: withReported(share, payoutId),
        doubled: [...share.doubled, payoutId],
      };
    }
    case 'DoubledPayoutReturned':
      return { doubled: share.doubled.filter((id) => id !== event.data.payoutId) };
    case 'PayoutFailed': {
      const { payoutId, givenUp } = event.data;
      return {
        status: isReversed ? 'reversed' : 'released',
        reversedFrom: isReversed ? 'released' : null,
        payoutId: null,
        payoutMethod: null,
        payoutAccount: null,
        failedPayouts: share.failedPayouts + (share.reportedLate.includes(payoutId) ? 0 : 1),
        givenUp: givenUp ? [...share.givenUp, payoutId] : share.givenUp,
      };
    }
  }
}

/** An order after one more of its events. Events before the order was placed change nothing. */
export function evolveTransaction(
  state: TransactionState,
  event: TransactionEvent,
): TransactionState {
  if (event.type === 'OrderPlaced') return placed(event.data);
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'PaymentInitialized': {
      const { reference, accessCode, authorizationUrl = null } = event.data;
      const attempt = { reference, accessCode, authorizationUrl };
      return { ...state, attempts: [...state.attempts, attempt] };
    }
    case 'PaymentVerified': {
      const { reference, providerId, amount, paidAt } = event.data;
      const payment = { reference, providerId, amount, paidAt };
      return withShares(
        { ...state, payment },
        () => true,
        () => ({ status: 'held' }),
      );
    }
    case 'PaymentMismatched': {
      const { reference, providerId, refundId, amount } = event.data;
      const aside = { reference, providerId, refundId, reason: heldAsideReason(event.data) };
      const refund = requestedRefund({ refundId, sellerId: null, providerId, amount });
      return {
        ...state,
        mismatched: [...state.mismatched, aside],
        refunds: [...state.refunds, refund],
      };
    }
    case 'PaymentReversed':
      return {
        ...state,
        reversed: true,
        reversals: state.reversals + 1,
        reversedAmount: event.data.amount,
        refunds: state.refunds.map(voided),
        shares: state.shares.map((share) =>
          share.status === 'paid-out' || share.status === 'refunded'
            ? share
            : { ...share, status: 'reversed', reversedFrom: share.status },
        ),
      };
    case 'PaymentRestored': {
      const { shares, refunds } = event.data;
      const statusOf = new Map(shares.map(({ sellerId, status }) => [sellerId, status]));
      const owed = new Set(refunds.map(({ refundId }) => refundId));
      return {
        ...state,
        reversed: false,
        refunds: state.refunds.map((refund) =>
          owed.has(refund.refundId) ? { ...refund, status: 'requested' } : refund,
        ),
        shares: state.shares.map((share) => {
          const status = statusOf.get(share.sellerId);
          return status === undefined ? share : { ...share, status, reversedFrom: null };
        }),
      };
    }
    case 'PaymentDisputed': {
      const { disputeId, reference, at } = event.data;
      return { ...state, openDisputes: [...state.openDisputes, { disputeId, reference, at }] };
    }
    case 'PaymentDisputeClosed': {
      const { disputeId, reference } = event.data;
      return {
        ...state,
        openDisputes: state.openDisputes.filter((open) => open.disputeId !== disputeId),
        closedDisputes: [...state.closedDisputes, { disputeId, reference }],
      };
    }
    case 'PaymentReturnedInPart': {
      const { disputeId, amount } = event.data;
      const { disputeIds, open, counted } = state.returned;
      const returned = { disputeIds: [...disputeIds, disputeId], open: open + amount, counted };
      return { ...state, returned };
    }
    case 'ReceiptRequested': {
      const { requestId, at } = event.data;
      return { ...state, receiptRequests: [...state.receiptRequests, { requestId, at }] };
    }
    case 'OrderExpired':
      return { ...state, expired: true };
    case 'DeliveryNotYet':
      return { ...state, notYetAt: event.data.at };
    case 'DeliveryDisputed':
      return withShares(
        state,
        ({ sellerId }) => event.data.sellerIds.includes(sellerId),
        () => ({ status: 'disputed' }),
      );
    case 'DisputeResolved':
      // The next event (a release or a refund) carries the consequence.
      return state;
    case 'DeliveryConfirmed':
      return { ...state, confirmed: true };
    case 'SellerShareReleased':
    case 'PayoutRequested':
    case 'PayoutCompleted':
    case 'PayoutCleared':
    case 'PayoutDoubled':
    case 'DoubledPayoutReturned':
    case 'PayoutFailed':
      return withShare(state, event.data.sellerId, (share) =>
        shareChange(share, event, state.reversed),
      );
    case 'RefundRequested': {
      const { refundId, sellerId, providerId, amount } = event.data;
      const others = state.refunds.filter((refund) => refund.refundId !== refundId);
      const refund = requestedRefund({ refundId, sellerId, providerId, amount });
      const after = { ...state, refunds: [...others, refund] };
      return sellerId === null ? after : withShare(after, sellerId, () => ({ status: 'refunded' }));
    }
    case 'RefundCompleted': {
      const { refundId, amount, reversed = false } = event.data;
      const reversals = state.reversals + (reversed ? 1 : 0);
      const open = state.returned.open - (event.data.returned ? amount : 0);
      const returned = { ...state.returned, open };
      return { ...withRefund(state, refundId, 'completed', reversed), reversals, returned };
    }
    case 'RefundReduced': {
      const { refundId, amount, returned } = event.data;
      const { disputeIds, open, counted } = state.returned;
      return {
        ...state,
        returned: { disputeIds, open: open - returned, counted: counted + returned },
        refunds: state.refunds.map((refund) =>
          refund.refundId === refundId ? { ...refund, amount } : refund,
        ),
      };
    }
    case 'RefundUndone':
      return withRefund(state, event.data.refundId, 'requested');
    case 'RefundFailed':
      return withRefund(state, event.data.refundId, 'failed');
    case 'BuyerRecordRemoved':
      return { ...state, buyerRemoved: true };
  }
}
