import type { Sealed } from '@oja/domain';
import { equality, type ReadModel, sorted } from './model.js';
import type { NewsLetterKind } from './notifications.js';
import type { ShareStatus } from './transactions.js';

/**
 * Letters to the support about money: a payment held aside, one that the cardholder disputes, one that their bank
 * reversed or gave back in part, a refund that failed or was refused, and a share that was paid twice.
 */
export type MoneyLetterKind = Extract<
  LetterKind,
  'held-aside' | 'disputed' | 'taken-back' | 'returned-in-part' | 'refund-failed' | 'paid-twice'
>;

/**
 * All kinds of letters: to buyers, to sellers, and to the support (including visitors' messages). In the order in which
 * they are sent when several are owed.
 */
export const letterKinds = [
  'receipt',
  /** Another copy, requested by the buyer. Subject: `<order>/<request>`. */
  'receipt-again',
  'contact',
  /** The goods were sold out before the payment came, so it is refunded. Subject: `<order>/<refund>`. */
  'sold-out',
  /** The code that proves that letters reach a seller. Subject: `<seller>/<number of the request>`. */
  'email-code',
  /** To an address that letters to a seller no longer go to. Subject: `<seller>/<event that ended it>`. */
  'address-left',
  /**
   * To the address that was confirmed when a seller's bank account or password was changed, or letters were switched
   * off. Subject: `<seller>/<event>`.
   */
  'seller-warning',
  /** The only kind that is not an obligation: it is derived from the notifications. */
  'seller-news',
  'held-aside',
  /** The cardholder's bank disputes a payment. Subject: `<order>/<dispute>`. */
  'disputed',
  'taken-back',
  /** A dispute gave a part of the payment back. Subject: `<order>/<dispute>`. */
  'returned-in-part',
  'refund-failed',
  'paid-twice',
  'reminder-2',
  'reminder-5',
  'reminder-10',
] as const;
export type LetterKind = (typeof letterKinds)[number];

export const isLetterKind = (kind: unknown): kind is LetterKind =>
  letterKinds.some((letter) => letter === kind);

/**
 * What the market still has to do. Each kind names the service that does it. A kind that ends in a
 * command is settled by the event of that command.
 */
export type ObligationKind =
  /** command-service: ask the provider how a payment ended, at each of `dueTimes`. */
  | 'payment-check'
  /** command-service: after the last check, expire the order. */
  | 'order-expiry'
  /** command-service: pay out a released share. */
  | 'payout'
  /** command-service: days after a transfer, ask whether it came back, or arrived although it was given up. */
  | 'payout-check'
  /** command-service: ask how a disputed payment stands, until the dispute is closed. */
  | 'dispute-check'
  /** command-service: complete a refund that was requested. */
  | 'refund'
  /**
   * command-service: return stock that a refunded payment had taken, and check a payment that took
   * stock but was never recorded.
   */
  | 'stock-return'
  /** command-service: destroy a person's key. Repeated after a restore; repeating is harmless. */
  | 'destroy-key'
  /** command-service: release a business name that was claimed but is not used. */
  | 'release-name'
  /** projector: send a letter. `ObligationDocument` says how that is remembered. */
  | Exclude<LetterKind, NewsLetterKind>;

/**
 * One thing to do. Id: `<kind>/<subject>`, with a further part when a subject has several.
 *
 * A sent letter is not a fact of the market, so no event records it. The projector remembers it in
 * State: sent letters in space 'letters' (key `<kind>/<subject>`), letters to try again in
 * 'letters-later', and the last `due` it has processed in 'letters-walked'. Keys to destroy are
 * owed for ever and are remembered the same way ('forgotten'). So settled items stay listed here
 * but are not processed again. What other sweeps have tried also belongs in State and never here,
 * because these documents are made from events only.
 */
export type ObligationDocument = {
  readonly kind: ObligationKind;
  /** Id of the transaction, seller, contact message or business name. */
  readonly subject: string;
  /** ISO 8601. Nothing is done before this time. */
  readonly due: string;
  /** Log position of the event that created it; the highest, where several events make one obligation. */
  readonly position: string;
  /** payment-check: all check times; `due` is the first. */
  readonly dueTimes: readonly string[] | null;
  /** payout, payout-check, paid-twice: the seller of the share. refund: of the goods, if it is for one seller's. */
  readonly sellerId: string | null;
  /** payout, refund, paid-twice; taken-back, returned-in-part: what the cardholder got. In kobo. */
  readonly amount: number | null;
  /**
   * payout: the payout's id, once one was requested. payout-check, refund, dispute-check: the id of what it is about.
   * disputed: the reference of the payment. taken-back, refund-failed: the id of the event.
   */
  readonly item: string | null;
  /** refund: the provider's id of the payment. */
  readonly providerId: string | null;
  /** destroy-key: the key's name (`transaction:<id>`, …). */
  readonly keySubject: string | null;
};

/** The shares of an order; reminders end when none is held. Id: the transaction's. */
export type ObligationOrderDocument = {
  readonly references: readonly string[];
  readonly shares: readonly { readonly sellerId: string; readonly status: ShareStatus }[];
  /** ISO 8601. The times of payment checks count from then. */
  readonly placedAt: string;
  /** The provider's id of the payment that paid the order; null until it is paid. */
  readonly paidBy: string | null;
  /** When that was recorded, or that a payment taken back was given back: the days of reminders count from then. */
  readonly remindedFrom: string | null;
};

/**
 * Stock that payments of an order have taken and not returned, and what is refunded: a payment (`of` is the
 * provider's id) or a seller's share (`of` is the seller's id). Id: the transaction's. Times are ISO 8601.
 */
export type TakenGoodsDocument = {
  readonly taken: readonly {
    readonly productId: string;
    readonly sellerId: string;
    readonly providerId: string;
    readonly at: string;
  }[];
  readonly back: readonly { readonly of: string; readonly at: string }[];
  /** The highest log position of the events that this was made of. */
  readonly position: string;
};

/** A claimed business name. Id: its key. */
export type ClaimedNameDocument = {
  readonly sellerId: string;
  readonly nameKey: string;
  readonly claimedAt: string;
  readonly position: string;
};

/** The business name that a seller uses. Id: the seller's. */
export type UsedNameDocument = { readonly nameKey: string; readonly since: string };

/** A message to the support. Id: its own. Sealed for stream `contact-<id>`, under these field names. */
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
  version: 16,
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
 * The job queues and the service that works each one. Job data holds ids only. A job only speeds up
 * what the obligations list anyway. Pushes are the exception: nothing makes up for a lost push.
 */
export const queues = {
  /** projector: `{ kind, subject }`, a letter to send. */
  letters: 'letters',
  /** command-service: `{ transactionId, check }`, ask how its payment ended, for the nth time. */
  paymentChecks: 'payment-checks',
  /** command-service: `{ transactionId }`. */
  refunds: 'refunds',
  /** command-service: `{ transactionId, sellerId }`. */
  payouts: 'payouts',
  /** command-service: `{ subject }`, a key to destroy. */
  keys: 'keys',
  /** projector: `{ eventId, position }`, an event to push to the browsers of its sellers. */
  orderPushes: 'order-pushes',
  /** projector: `{ eventId, sellerId, subscriptionId }`, a push to one browser. */
  pushes: 'pushes',
  /**
   * command-service: `{ eventId, sellerId, subscriptionId }`, a browser that its push service no
   * longer knows. `eventId`: the event of the push that failed.
   */
  forgetPush: 'forget-push',
  /** command-service: `{ key }`, a webhook of the payment provider, which `State` lists until it is handled. */
  webhooks: 'webhooks',
} as const;

/**
 * The id of the job of an order's nth payment check, from that of another of its checks: each adds the next, so ids
 * differ in the last number alone.
 */
export const paymentCheckJobId = (other: string, n: number): string =>
  other.replace(/\d+$/, String(n));
