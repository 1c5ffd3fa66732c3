import type { LedgerAccounts, LedgerDocument, LedgerOrderDocument } from '@oja/contracts/models';
import type { TransactionEvent } from '@oja/domain';

export const NOTHING: LedgerAccounts = {
  cash: 0,
  held: 0,
  payable: 0,
  paidOut: 0,
  house: 0,
  refundsDue: 0,
  heldAside: 0,
  providerFees: 0,
  losses: 0,
};

/** Double entry: all cash that came in is owed to somebody, or was spent on fees and losses. */
export function isBalanced(accounts: LedgerAccounts): boolean {
  const { held, payable, paidOut, house, refundsDue, heldAside, providerFees, losses } = accounts;
  const owed = held + payable + paidOut + house + refundsDue + heldAside;
  return accounts.cash === owed - providerFees - losses;
}

/** The accounts after a posting. All sums are in kobo. */
export function addPosting(before: LedgerAccounts, posting: Posting): LedgerDocument {
  const plus = (account: keyof LedgerAccounts) => before[account] + (posting[account] ?? 0);
  const accounts: LedgerAccounts = {
    cash: plus('cash'),
    held: plus('held'),
    payable: plus('payable'),
    paidOut: plus('paidOut'),
    house: plus('house'),
    refundsDue: plus('refundsDue'),
    heldAside: plus('heldAside'),
    providerFees: plus('providerFees'),
    losses: plus('losses'),
  };
  return { ...accounts, balanced: isBalanced(accounts) };
}

/** What an event adds to each account, in kobo. Accounts that are left out do not change. */
type Posting = Partial<LedgerAccounts>;

type LedgerEvent = Extract<
  TransactionEvent,
  {
    readonly type:
      | 'PaymentVerified'
      | 'PaymentMismatched'
      | 'PaymentReversed'
      | 'PaymentReturnedInPart'
      | 'PaymentRestored'
      | 'SellerShareReleased'
      | 'PayoutCompleted'
      | 'PayoutFailed'
      | 'PayoutDoubled'
      | 'DoubledPayoutReturned'
      | 'RefundRequested'
      | 'RefundCompleted'
      | 'RefundUndone'
      | 'RefundReduced';
  }
>;

type Share = LedgerOrderDocument['shares'][number];
type ShareStatus = Share['status'];

/** The posting of an event, and the order after it. */
interface Posted {
  readonly posting: Posting;
  readonly order: LedgerOrderDocument;
}

/** Posts an event. Every posting keeps the accounts balanced, see `isBalanced`. `accounts`: those of this order. */
export function post(
  event: LedgerEvent,
  order: LedgerOrderDocument,
  accounts: LedgerAccounts,
): Posted {
  switch (event.type) {
    case 'PaymentVerified': {
      const { amount, fees } = event.data;
      const held = sum(order.shares);
      return {
        posting: { cash: amount - fees, providerFees: fees, held, house: amount - held },
        order: { ...order, shares: order.shares.map((share) => ({ ...share, status: 'held' })) },
      };
    }
    case 'PaymentMismatched': {
      const { fees, refundId, currency } = event.data;
      // The books are kept in kobo: money in another currency is not posted to any account.
      const isForeign = currency !== 'NGN';
      const amount = isForeign ? 0 : event.data.amount;
      const asides = [...order.asides, { refundId, amount }];
      if (isForeign) return { posting: {}, order: { ...order, asides } };
      return {
        posting: { cash: amount - fees, providerFees: fees, heldAside: amount },
        order: { ...order, asides },
      };
    }
    case 'SellerShareReleased': {
      const { amount, sellerId } = event.data;
      return {
        posting: { held: -amount, payable: amount },
        order: withStatus(order, sellerId, 'payable'),
      };
    }
    case 'PayoutCompleted': {
      const { amount, sellerId, payoutId } = event.data;
      const share = order.shares.find((each) => each.sellerId === sellerId);
      const after = withShare(order, sellerId, ({ doubled }) => ({
        status: 'paid-out',
        doubled: doubled.filter((id) => id !== payoutId),
      }));
      // It is counted as paid out already, and as a loss: what was owed to the seller makes up for that.
      if (share?.doubled.includes(payoutId))
        return {
          posting: { payable: -amount, ...repayLosses(amount, order, accounts) },
          order: after,
        };
      // A payout that arrived after the payment was taken back is the market's loss.
      return {
        posting: { ...takeFrom(share?.status ?? 'none', amount), paidOut: amount },
        order: after,
      };
    }
    case 'PayoutFailed': {
      const { amount, sellerId, reversed, forfeited } = event.data;
      if (forfeited) {
        const back = { paidOut: -amount, ...repayLosses(amount, order, accounts) };
        return { posting: reversed ? back : {}, order: withStatus(order, sellerId, 'refunded') };
      }
      return {
        posting: reversed ? { payable: amount, paidOut: -amount } : {},
        order: withStatus(order, sellerId, 'payable'),
      };
    }
    case 'PayoutDoubled': {
      const { amount, sellerId, payoutId } = event.data;
      return {
        posting: { paidOut: amount, losses: amount },
        order: withShare(order, sellerId, ({ doubled }) => ({ doubled: [...doubled, payoutId] })),
      };
    }
    case 'DoubledPayoutReturned': {
      const { amount, sellerId, payoutId } = event.data;
      return {
        posting: { paidOut: -amount, ...repayLosses(amount, order, accounts) },
        order: withShare(order, sellerId, ({ doubled }) => ({
          doubled: doubled.filter((id) => id !== payoutId),
        })),
      };
    }
    case 'RefundRequested':
      return refundRequested(event, order);
    case 'RefundCompleted': {
      const { amount, refundId, returned } = event.data;
      // Its money went when the dispute gave it back, at the market's loss until now.
      if (returned) return countedReturned(amount, order);
      const aside = order.asides.find((known) => known.refundId === refundId);
      // A refund that completes after the payment was taken back was no longer owed.
      const owed = accounts.refundsDue >= amount;
      const source: Posting = owed ? { refundsDue: -amount } : { losses: amount };
      return {
        posting: aside
          ? { cash: -aside.amount, heldAside: -aside.amount }
          : { cash: -amount, ...source },
        order,
      };
    }
    case 'RefundReduced':
      return countedReturned(event.data.returned, order);
    case 'RefundUndone': {
      const { amount, refundId } = event.data;
      const aside = order.asides.find((known) => known.refundId === refundId);
      return {
        posting: aside
          ? { cash: aside.amount, heldAside: aside.amount }
          : { cash: amount, refundsDue: amount },
        order,
      };
    }
    // A loss until a refund counts it, or all of the payment goes.
    case 'PaymentReturnedInPart': {
      const { amount } = event.data;
      return { posting: { cash: -amount, losses: amount }, order: withReturned(order, amount) };
    }
    case 'PaymentReversed':
      return reversed(event.data.amount, order, accounts);
    case 'PaymentRestored':
      return restored(event, order, accounts);
  }
}

/** Refunds the seller's share and the market's part of the price, with the delivery fee if it is included. */
function refundRequested(
  { data }: Extract<LedgerEvent, { readonly type: 'RefundRequested' }>,
  order: LedgerOrderDocument,
): Posted {
  const share = order.shares.find(({ sellerId }) => sellerId === data.sellerId);
  const amount = share?.share ?? 0;
  const posting: Posting = {
    refundsDue: data.amount,
    house: amount - data.amount,
    ...takeFrom(share?.status ?? 'none', amount),
  };
  return {
    posting,
    order: data.sellerId === null ? order : withStatus(order, data.sellerId, 'refunded'),
  };
}

/**
 * Money that the market has after all first makes up for its losses; the rest is its own. It does not make up for what a
 * dispute gave back in part: a refund does that.
 */
function repayLosses(
  amount: number,
  order: LedgerOrderDocument,
  { losses }: LedgerAccounts,
): Posting {
  const good = Math.min(amount, losses - lostInPart(order));
  return { losses: -good, house: amount - good };
}

/** Which account a share is taken from when it is refunded or paid out. */
function takeFrom(status: ShareStatus, amount: number): Posting {
  switch (status) {
    case 'held':
      return { held: -amount };
    case 'payable':
      return { payable: -amount };
    // The market has nothing left of such a share: the amount is its loss.
    case 'paid-out':
    case 'refunded':
    case 'none':
      return { losses: amount };
  }
}

/**
 * The provider took the payment back. What is still held pays for it: shares, refunds not yet made,
 * then the market's own part. The rest is a loss.
 */
function reversed(amount: number, order: LedgerOrderDocument, accounts: LedgerAccounts): Posted {
  const of = (status: ShareStatus) => sum(order.shares.filter((share) => share.status === status));
  const [held, payable] = [of('held'), of('payable')];
  const { refundsDue } = accounts;
  const rest = amount - held - payable - refundsDue;
  // What disputes gave back before, as a loss, was a part of all this.
  const house = Math.min(accounts.house, rest + lostInPart(order));
  return {
    posting: {
      cash: -amount,
      held: -held,
      payable: -payable,
      refundsDue: -refundsDue,
      house: -house,
      losses: rest - house,
    },
    order: {
      ...order,
      ...(order.returned && { returned: { ...order.returned, gone: true } }),
      shares: order.shares.map((share) =>
        share.status === 'held' || share.status === 'payable'
          ? { ...share, status: 'refunded' }
          : share,
      ),
    },
  };
}

/**
 * The payment came back: shares and refunds are owed again. A surplus is the market's own, a shortfall its loss, as is
 * the part that a dispute had given back before.
 */
function restored(
  { data }: Extract<LedgerEvent, { readonly type: 'PaymentRestored' }>,
  order: LedgerOrderDocument,
  accounts: LedgerAccounts,
): Posted {
  const statusOf = new Map(data.shares.map(({ sellerId, status }) => [sellerId, status]));
  const shares = order.shares.map((share): Share => {
    const status = statusOf.get(share.sellerId);
    if (status === undefined) return share;
    return { ...share, status: status === 'held' || status === 'disputed' ? 'held' : 'payable' };
  });
  const of = (status: ShareStatus) => sum(shares.filter((share) => share.status === status));
  const held = of('held') - accounts.held;
  const payable = of('payable') - accounts.payable;
  const due = data.refunds.reduce((total, { amount }) => total + amount, 0);
  const refundsDue = due - accounts.refundsDue;
  const returned = order.returned?.open ?? 0;
  const came = data.amount + returned;
  const rest = came - held - payable - refundsDue + accounts.house - accounts.losses;
  return {
    posting: {
      cash: data.amount,
      held,
      payable,
      refundsDue,
      house: Math.max(rest, 0) - accounts.house,
      losses: Math.max(-rest, 0) + returned - accounts.losses,
    },
    order: {
      ...order,
      ...(order.returned && { returned: { ...order.returned, gone: false } }),
      shares,
    },
  };
}

const withStatus = (order: LedgerOrderDocument, sellerId: string, status: ShareStatus) =>
  withShare(order, sellerId, () => ({ status }));

/** `amount`: how much more, in kobo, disputes have given back that no refund counts; negative once one does. */
const withReturned = (order: LedgerOrderDocument, amount: number): LedgerOrderDocument => ({
  ...order,
  returned: { open: (order.returned?.open ?? 0) + amount, gone: false },
});

/** What a dispute gave back counts for a refund: it is owed no longer, and no loss. `amount` in kobo. */
const countedReturned = (amount: number, order: LedgerOrderDocument): Posted => ({
  posting: { refundsDue: -amount, losses: -amount },
  order: withReturned(order, -amount),
});

/** What disputes gave back in parts, as long as it is a loss, in kobo. */
const lostInPart = ({ returned }: LedgerOrderDocument): number =>
  returned === undefined || returned.gone ? 0 : returned.open;

function withShare(
  order: LedgerOrderDocument,
  sellerId: string,
  change: (share: Share) => Partial<Share>,
): LedgerOrderDocument {
  return {
    ...order,
    shares: order.shares.map((share) =>
      share.sellerId === sellerId ? { ...share, ...change(share) } : share,
    ),
  };
}

function sum(shares: readonly Share[]): number {
  return shares.reduce((total, { share }) => total + share, 0);
}
