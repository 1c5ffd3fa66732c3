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

/** Double entry: what came in is somewhere. */
export function isBalanced(accounts: LedgerAccounts): boolean {
  const { held, payable, paidOut, house, refundsDue, heldAside, providerFees, losses } = accounts;
  const owed = held + payable + paidOut + house + refundsDue + heldAside;
  return accounts.cash === owed - providerFees - losses;
}

/** The accounts after a posting. All sums are kobo. */
export function added(before: LedgerAccounts, posting: Posting): LedgerDocument {
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

/** What an event adds to each account, in kobo; what is left out stays. */
type Posting = Partial<LedgerAccounts>;

type LedgerEvent = Extract<
  TransactionEvent,
  {
    readonly type:
      | 'PaymentVerified'
      | 'PaymentMismatched'
      | 'PaymentReversed'
      | 'PaymentRestored'
      | 'SellerShareReleased'
      | 'PayoutCompleted'
      | 'PayoutFailed'
      | 'PayoutDoubled'
      | 'RefundRequested'
      | 'RefundCompleted';
  }
>;

type Share = LedgerOrderDocument['shares'][number];
type ShareStatus = Share['status'];

/** What an event posts, and what it makes of the order. */
interface Posted {
  readonly posting: Posting;
  readonly order: LedgerOrderDocument;
}

/** Every posting leaves the accounts balanced: see `isBalanced`. */
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
      // The books are kept in kobo: money of another currency is in none of its accounts.
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
      const { amount, sellerId } = event.data;
      // One that arrived after the payment was taken back is the market's loss.
      const status = order.shares.find((share) => share.sellerId === sellerId)?.status ?? 'none';
      return {
        posting: { ...from(status, amount), paidOut: amount },
        order: withStatus(order, sellerId, 'paid-out'),
      };
    }
    case 'PayoutFailed': {
      const { amount, sellerId, reversed, forfeited } = event.data;
      if (forfeited) {
        // What comes back makes a loss good; beyond that it is the market's.
        const good = Math.min(amount, accounts.losses);
        const back = { paidOut: -amount, losses: -good, house: amount - good };
        return { posting: reversed ? back : {}, order: withStatus(order, sellerId, 'refunded') };
      }
      return {
        posting: reversed ? { payable: amount, paidOut: -amount } : {},
        order: withStatus(order, sellerId, 'payable'),
      };
    }
    case 'PayoutDoubled': {
      const { amount } = event.data;
      return { posting: { paidOut: amount, losses: amount }, order };
    }
    case 'RefundRequested':
      return refundRequested(event, order);
    case 'RefundCompleted': {
      const { amount, refundId } = event.data;
      const aside = order.asides.find((known) => known.refundId === refundId);
      // A refund that arrived after the payment was taken back was not owed any more.
      const owed = accounts.refundsDue >= amount;
      const source: Posting = owed ? { refundsDue: -amount } : { losses: amount };
      return {
        posting: aside
          ? { cash: -aside.amount, heldAside: -aside.amount }
          : { cash: -amount, ...source },
        order: { ...order, asides: order.asides.filter((known) => known !== aside) },
      };
    }
    case 'PaymentReversed':
      return reversed(event.data.amount, order, accounts);
    case 'PaymentRestored':
      return restored(event, order, accounts);
  }
}

/** The seller's share and the market's part of the goods go back, with the fee where it is asked. */
function refundRequested(
  { data }: Extract<LedgerEvent, { readonly type: 'RefundRequested' }>,
  order: LedgerOrderDocument,
): Posted {
  const share = order.shares.find(({ sellerId }) => sellerId === data.sellerId);
  const amount = share?.share ?? 0;
  const posting: Posting = {
    refundsDue: data.amount,
    house: amount - data.amount,
    ...from(share?.status ?? 'none', amount),
  };
  return {
    posting,
    order: data.sellerId === null ? order : withStatus(order, data.sellerId, 'refunded'),
  };
}

/** From where a share is taken when it goes back to the buyer. */
function from(status: ShareStatus, amount: number): Posting {
  switch (status) {
    case 'held':
      return { held: -amount };
    case 'payable':
      return { payable: -amount };
    // What is with the seller already is the market's loss.
    case 'paid-out':
    case 'refunded':
    case 'none':
      return { losses: amount };
  }
}

/**
 * The provider took the payment back: what is still here pays for it, refunds that were not given yet
 * among it; the rest is lost.
 */
function reversed(amount: number, order: LedgerOrderDocument, accounts: LedgerAccounts): Posted {
  const of = (status: ShareStatus) => sum(order.shares.filter((share) => share.status === status));
  const [held, payable] = [of('held'), of('payable')];
  const { refundsDue } = accounts;
  const house = Math.min(accounts.house, amount - held - payable - refundsDue);
  return {
    posting: {
      cash: -amount,
      held: -held,
      payable: -payable,
      refundsDue: -refundsDue,
      house: -house,
      losses: amount - held - payable - refundsDue - house,
    },
    order: {
      ...order,
      shares: order.shares.map((share) =>
        share.status === 'held' || share.status === 'payable'
          ? { ...share, status: 'refunded' }
          : share,
      ),
    },
  };
}

/**
 * The payment came back: the shares are owed again, and the refunds; what is over is the market's own,
 * what is missing its loss.
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
  const rest = data.amount - held - payable - refundsDue + accounts.house - accounts.losses;
  return {
    posting: {
      cash: data.amount,
      held,
      payable,
      refundsDue,
      house: Math.max(rest, 0) - accounts.house,
      losses: Math.max(-rest, 0) - accounts.losses,
    },
    order: { ...order, shares },
  };
}

function withStatus(
  order: LedgerOrderDocument,
  sellerId: string,
  status: ShareStatus,
): LedgerOrderDocument {
  return {
    ...order,
    shares: order.shares.map((share) =>
      share.sellerId === sellerId ? { ...share, status } : share,
    ),
  };
}

function sum(shares: readonly Share[]): number {
  return shares.reduce((total, { share }) => total + share, 0);
}
