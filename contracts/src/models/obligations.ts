import type { Sealed } from '@oja/domain';
import { equality, type ReadModel, sorted } from './model.js';
import type { NewsLetterKind } from './notifications.js';
import type { ShareStatus } from './transactions.js';

/**
 * To the support: a payment that is held aside, one that the cardholder's bank took back, a refund that
 * the provider refused or could not make, and a share that was paid twice.
 */
export type MoneyLetterKind = 'held-aside' | 'taken-back' | 'refund-failed' | 'paid-twice';

/** Letters to a buyer; to a seller; and to the support, a visitor's message among them. */
export type LetterKind =
  | 'receipt'
  /** Once more, since the buyer asked for it. Subject: `<order>/<request>`. */
  | 'receipt-again'
  | 'reminder-2'
  | 'reminder-5'
  | 'reminder-10'
  | 'contact'
  /** The goods were sold out before the payment came: it goes back. Subject: `<order>/<refund>`. */
  | 'sold-out'
  /** The code that shows that letters reach a seller. Subject: `<seller>/<number of the asking>`. */
  | 'email-code'
  | NewsLetterKind
  | MoneyLetterKind;

/**
 * What the market still owes to do. Worked by the service named; those that end in a command vanish
 * with the event it makes.
 */
export type ObligationKind =
  /** command-service: ask the provider how a payment ended, at each of `dueTimes`. */
  | 'payment-check'
  /** command-service: after the last check, OrderExpired. */
  | 'order-expiry'
  /** command-service: a released share that was not paid out. */
  | 'payout'
  /** command-service: a transfer: ask days later how it ended, whether it came back, or arrived though it was given up. */
  | 'payout-check'
  /** command-service: a payment that its cardholder disputes: ask how it stands, until that is closed. */
  | 'dispute-check'
  /** command-service: a refund that was asked and is not completed. */
  | 'refund'
  /**
   * command-service: counted goods that a payment has taken which goes back, or which nobody has recorded yet: ask how
   * it stands.
   */
  | 'stock-return'
  /** command-service: a person's key to destroy. Repeated after a restore; harmless. */
  | 'destroy-key'
  /** command-service: a business name that was claimed and is not used: release it. */
  | 'release-name'
  /** projector: a letter to send; how that is remembered is said below. */
  | Exclude<LetterKind, NewsLetterKind>;

/**
 * One thing to do; id: `<kind>/<subject>` with a further part where a subject has several. An event
 * cannot say that a letter was sent, since sending is no fact of the market: the projector, which
 * sends, remembers it in State (space 'letters', key `<kind>/<subject>`), what it will try again
 * ('letters-later'), and up to which `due` it has walked ('letters-walked'). The same holds for keys to
 * destroy ('forgotten'), which are owed for ever. So what is settled is not looked at again, though
 * it stays listed here. What any other sweep has tried belongs in State too, never here:
 * documents are made of events.
 */
export type ObligationDocument = {
  readonly kind: ObligationKind;
  /** Id of the transaction, seller, contact message or business name. */
  readonly subject: string;
  /** ISO 8601: nothing is to be done before. */
  readonly due: string;
  /** Position of the event that made it: what was made later stands later. */
  readonly position: string;
  /** payment-check: all times, `due` being the first. */
  readonly dueTimes: readonly string[] | null;
  /** payment-check: every reference that was used, oldest first. */
  readonly references: readonly string[] | null;
  /** payout, payout-check: whose share. */
  readonly sellerId: string | null;
  /** payout, refund: kobo. */
  readonly amount: number | null;
  /** payout: its id once one was asked for; payout-check, refund: its id. */
  readonly item: string | null;
  /** refund: the provider's id of the payment. */
  readonly providerId: string | null;
  /** destroy-key: the subject as Keys knows it (`transaction:<id>`, …). */
  readonly keySubject: string | null;
};

/** What became of an order's shares: reminders end with it; id: the transaction's. */
export type ObligationOrderDocument = {
  readonly references: readonly string[];
  readonly shares: readonly { readonly sellerId: string; readonly status: ShareStatus }[];
  /** The provider's id of the payment that it was paid by; null until it is. */
  readonly paidBy: string | null;
};

/**
 * Which counted goods payments have taken of an order and not given back, and what of it goes back: a payment, by the
 * provider's id, or a seller's part; id: the transaction's. Times are ISO 8601.
 */
export type TakenGoodsDocument = {
  readonly taken: readonly {
    readonly productId: string;
    readonly sellerId: string;
    readonly providerId: string;
    readonly at: string;
  }[];
  readonly back: readonly { readonly of: string; readonly at: string }[];
};

/** A business name that is claimed; id: its key. */
export type ClaimedNameDocument = {
  readonly sellerId: string;
  readonly nameKey: string;
  readonly claimedAt: string;
  readonly position: string;
};

/** The name a seller goes by; id: the seller's. */
export type UsedNameDocument = { readonly nameKey: string; readonly since: string };

/** A message to the support; id: its own. Sealed on stream `contact-<id>`, fields by these names. */
type ContactDocument = {
  readonly name: Sealed;
  readonly email: Sealed;
  readonly subject: Sealed;
  readonly message: Sealed;
  readonly at: string;
};

export type ObligationsCollections = {
  readonly due: ObligationDocument;
  readonly orders: ObligationOrderDocument;
  readonly takenGoods: TakenGoodsDocument;
  readonly claimedNames: ClaimedNameDocument;
  readonly usedNames: UsedNameDocument;
  readonly contacts: ContactDocument;
};

export const obligations = {
  name: 'obligations',
  version: 9,
  collections: {
    due: [
      sorted(['kind'], ['due']),
      sorted(['kind'], ['position']),
      sorted([], ['due']),
      equality('subject'),
    ],
    orders: [],
    takenGoods: [],
    claimedNames: [equality('sellerId')],
    usedNames: [],
    contacts: [],
  },
} as const satisfies ReadModel<keyof ObligationsCollections>;

/**
 * The queues between projector and the services that work them. A job only makes sooner what the
 * obligations list anyway, except pushes, which nobody is owed; its data names ids.
 */
export const queues = {
  /** projector: `{ kind, subject }`, a letter to send. */
  letters: 'letters',
  /** command-service: `{ transactionId }`, ask how its payment ended. */
  paymentChecks: 'payment-checks',
  /** command-service: `{ transactionId, refundId }`. */
  refunds: 'refunds',
  /** command-service: `{ transactionId, sellerId }`. */
  payouts: 'payouts',
  /** command-service: `{ subject }`, a key to destroy. */
  keys: 'keys',
  /** projector: `{ eventId, position }`, an event that sellers' browsers are to be told of. */
  orderPushes: 'order-pushes',
  /** projector: `{ eventId, sellerId, subscriptionId }`, one browser to tell. */
  pushes: 'pushes',
  /** command-service: `{ eventId, sellerId, subscriptionId }`, a browser that is gone; the event told of it. */
  forgetPush: 'forget-push',
} as const;
