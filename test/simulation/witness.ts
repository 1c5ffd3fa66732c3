import {
  type BusinessNameState,
  businessName,
  businessNameKey,
  type PlacedOrder,
  type SellerState,
  seller,
  type TransactionState,
  transaction,
} from '@oja/domain';
import { paymentReference, transactionOfReference } from '@oja/domain/rules';
import type { MemoryLog, RecordedEvent } from '@oja/platform';
import { v5 as uuidv5 } from 'uuid';
import { type Charge, isUnderWay, type Provider, type Refund, type Transfer } from './provider.js';
import { createStockBooks } from './stock-books.js';
import { DAY } from './world.js';

/** Something that must never happen: the broken `rule`, and where in this run (`about`). */
export class Violation extends Error {
  override readonly name = 'Violation';

  constructor(
    readonly rule: string,
    readonly about: string,
    details = '',
  ) {
    super(`${rule} (${about})${details === '' ? '' : `: ${details}`}`);
  }
}

export interface WitnessOptions {
  readonly log: MemoryLog;
  readonly provider: () => Provider;
  now(): number;
  fail(violation: Violation): void;
  tell(who: string, what: string): void;
}

export type Witness = ReturnType<typeof createWitness>;

/** When the market accepted each notice, in epoch milliseconds. */
type Heard = Map<string, number>;

/** How long after notice of a chargeback a payout that was already being made is still allowed. */
const HEARD_FOR_MS = DAY;

/**
 * Observes every event as it is appended and every movement of money as it happens, independently
 * of the market, and reports anything that must never happen.
 */
export function createWitness({ log, provider, now, fail, tell }: WitnessOptions) {
  const orders = new Map<string, PlacedOrder>();
  const sellers = new Map<string, SellerState>();
  const names = new Map<string, BusinessNameState>();
  /** Business name key → the seller who uses it. */
  const users = new Map<string, string>();
  const byHand = new Map<string, string>();
  const heard: Heard = new Map();
  const sent = new Map<string, Set<Transfer>>();
  /** Orders that may still be open, including ended ones about which something new was seen. */
  const maybeOpen = new Set<string>();
  const refunded = new Map<Charge, Set<Refund>>();
  const stock = createStockBooks({ orders, fail, tell });
  let seen = 0;

  function see(event: RecordedEvent): void {
    const [category = '', ...rest] = event.stream.split('-');
    const id = rest.join('-');
    if (category === 'transaction') seeOrder(id, event);
    else if (category === 'product') stock.seeProduct(id, event);
    else if (category === 'seller') seeSeller(id, event);
    else if (category === 'businessName') {
      const known = businessName.parse(event.type, event.data);
      if (known !== null)
        names.set(id, businessName.evolve(names.get(id) ?? businessName.initial, known));
    }
  }

  function seeOrder(id: string, recorded: RecordedEvent): void {
    const event = transaction.parse(recorded.type, recorded.data);
    if (event === null) return;
    tell(`order ${id}`, `${event.type} by ${recorded.metadata.actor}`);
    const before: TransactionState = orders.get(id) ?? transaction.initial;
    const after = transaction.evolve(before, event);
    if (after.status === 'placed') orders.set(id, after);
    maybeOpen.add(id);
    stock.seeOrder(id, recorded);
    if (event.type !== 'PayoutCompleted') return;
    const { payoutId, sellerId } = event.data;
    if (recorded.metadata.actor === 'operator') byHand.set(payoutId, shareKey(payoutId));
    const was = before.status === 'placed' && before.shares.find((s) => s.sellerId === sellerId);
    if (was && was.status === 'paid-out')
      fail(new Violation('a share is recorded as paid out twice', id, payoutId));
    notPaidTwice(shareKey(payoutId));
  }

  function seeSeller(id: string, recorded: RecordedEvent): void {
    const event = seller.parse(recorded.type, recorded.data);
    if (event === null) return;
    const before = sellers.get(id);
    const after = seller.evolve(before ?? seller.initial, event);
    sellers.set(id, after);
    if (after.status !== 'registered') return;
    const key = businessNameKey(after.businessName);
    const old = before?.status === 'registered' ? businessNameKey(before.businessName) : null;
    if (old === key) return;
    tell(`seller ${id}`, `${event.type}: ${after.businessName}`);
    if (old !== null && users.get(old) === id) users.delete(old);
    const other = users.get(key);
    if (other !== undefined && other !== id)
      fail(new Violation('two sellers go by one name', key, `${other} and ${id}`));
    users.set(key, id);
  }

  /** References are `<order>_<share>_<try>`: all tries of a share are one thing to pay. */
  const shareKey = (payoutId: string) => payoutId.split('_').slice(0, 2).join('_');

  function notPaidTwice(key: string): void {
    const transfers = [...(sent.get(key) ?? [])].filter(isUnderWay);
    const hands = [...byHand].filter(([, share]) => share === key).map(([payoutId]) => payoutId);
    if (transfers.length + hands.length > 1)
      fail(
        new Violation(
          'a seller is paid twice',
          key,
          [
            ...transfers.map(({ reference, status }) => `${reference} ${status}`),
            ...hands.map((id) => `${id} by hand`),
          ].join(', '),
        ),
      );
  }

  /** Called by the provider for each movement of money. */
  function moved(what: Charge | Refund | Transfer): void {
    if ('recipient' in what) {
      tell(`provider`, `transfer ${what.reference}: ${what.status}`);
      const key = shareKey(what.reference);
      maybeOpen.add(key.split('_')[0] ?? '');
      sent.set(key, (sent.get(key) ?? new Set()).add(what));
      notPaidTwice(key);
      if (what.status === 'pending' || what.status === 'received' || what.status === 'otp')
        notOfMoneyTakenBack(what);
    } else if ('charge' in what) {
      if (what.dispute !== null) return;
      tell(
        'provider',
        `refund ${what.id} of ${what.charge.reference} (${what.amount}): ${what.status}`,
      );
      const back = refunded.get(what.charge) ?? new Set();
      refunded.set(what.charge, back.add(what));
      const same = [...back].filter(
        ({ amount, status }) => amount === what.amount && status !== 'failed',
      );
      const { refunds } = orders.get(transactionOfReference(what.charge.reference) ?? '') ?? {};
      const owed = refunds?.filter(
        ({ amount, providerId }) => amount === what.amount && providerId === String(what.charge.id),
      );
      // Without our notes, refunds of the same amount cannot be told apart.
      if (same.length > Math.max(1, owed?.length ?? 0))
        fail(new Violation('a buyer is refunded twice', what.charge.reference, what.note));
    } else {
      tell('provider', `charge ${what.reference} (${what.amount}): ${what.status}`);
    }
  }

  function notOfMoneyTakenBack({ reference }: Transfer): void {
    const order = orders.get(reference.split('_')[0] ?? '');
    const charge = order?.payment && provider().charges.get(order.payment.reference);
    if (!charge || charge.takenBackAt === null) return;
    const told = heard.get(`charge.dispute.create/${charge.reference}`);
    if (told !== undefined && Math.max(told, charge.takenBackAt) + HEARD_FOR_MS < now())
      fail(new Violation('a share is paid out of a payment that the bank took back', reference));
  }

  return {
    orders,
    /** How many orders were placed, and how many of them were ever paid. */
    tally(): { readonly placed: number; readonly paid: number } {
      const paid = [...orders.values()].filter(({ payment }) => payment !== null);
      return { placed: orders.size, paid: paid.length };
    },
    /** Orders that have not ended. */
    open(): readonly PlacedOrder[] {
      const open: PlacedOrder[] = [];
      for (const id of maybeOpen) {
        const order = orders.get(id);
        if (order !== undefined && unfinished(order, provider(), heard) !== null) open.push(order);
        else maybeOpen.delete(id);
      }
      return open;
    },
    unfinished: (order: PlacedOrder) => unfinished(order, provider(), heard),
    /** The transfers that the provider was asked for, of an order or of one of its shares. */
    transfersOf: ({ transactionId, shares }: PlacedOrder, share?: number): readonly Transfer[] =>
      shares
        .flatMap((_, index) => (share === undefined || index === share ? [index] : []))
        .flatMap((index) => [...(sent.get(`${transactionId}_${index}`) ?? [])]),
    sellers,
    stock,
    byHand,
    moved,
    /** Called when the market has answered a notice with 200. */
    hears(event: string, reference: string): void {
      const key = `${event}/${reference}`;
      if (heard.has(key)) return;
      heard.set(key, now());
      maybeOpen.add(transactionOfReference(reference) ?? '');
    },
    hasHeard: (event: string, reference: string) => heard.has(`${event}/${reference}`),
    /** Processes the events appended since the last call. */
    look(): void {
      for (; seen < log.events.length; seen += 1) {
        const event = log.events[seen];
        if (event !== undefined) see(event);
      }
    },
    /** The id of a seller whose registration was acknowledged; fails if the log does not have it. */
    registered(name: string, commandId: string): string {
      const id = uuidv5('seller', commandId);
      if (sellers.get(id)?.status !== 'registered')
        fail(new Violation('an acknowledged registration is not in the log', name));
      return id;
    },
    /** Called for each success that a buyer was told of; fails if the log does not have it. */
    acknowledged(
      what: 'order' | 'confirmDelivery' | 'reportNotReceived' | 'reportProblem',
      id: string,
    ): void {
      const order = orders.get(id);
      const holds =
        order !== undefined &&
        (what !== 'order' || order.attempts.length > 0) &&
        (what !== 'confirmDelivery' || order.confirmed) &&
        (what !== 'reportNotReceived' || order.notYetAt !== null);
      if (!holds) fail(new Violation('an acknowledged fact is not in the log', id, what));
    },
    /** The seller who holds the name's reservation. */
    holderOf(stream: string): string | null {
      const state = names.get(stream);
      return state?.status === 'held' ? state.sellerId : null;
    },
  };
}

/** Why an order has not ended; null: it has. */
function unfinished(order: PlacedOrder, provider: Provider, heard: Heard): string | null {
  const refund = order.refunds.find(({ status }) => status === 'requested' || status === 'failed');
  if (refund) return `refund ${refund.refundId} is ${refund.status}`;
  if (order.payment === null) {
    for (let attempt = 1; attempt < 20; attempt += 1) {
      const reference = paymentReference(order.transactionId, attempt);
      const charge = provider.charges.get(reference);
      const isKnown = order.mismatched.some((aside) => aside.reference === reference);
      if (charge?.status === 'success' && !isKnown && heard.has(`charge.success/${reference}`))
        return `${reference} was paid, the market was told, and does not know it`;
    }
    return order.expired ? null : 'it is neither paid nor expired';
  }
  const { reference } = order.payment;
  const charge = provider.charges.get(reference);
  const part = (charge === undefined ? [] : provider.refundsOf(charge)).find(
    ({ dispute }) => dispute !== null && !order.returned.disputeIds.includes(String(dispute)),
  );
  // Of several disputes it is not known which one the market was told of.
  if (part && charge?.disputes === 1 && heard.has(`charge.dispute.resolve/${reference}`))
    return `dispute ${part.dispute} gave back ${part.amount}, and the market does not know it`;
  const open = order.shares.find(
    ({ status, payoutId }) =>
      !(
        status === 'paid-out' ||
        status === 'refunded' ||
        (status === 'reversed' && payoutId === null)
      ),
  );
  if (open) return `the share of ${open.sellerId} is ${open.status}`;
  const back = order.shares.find(
    ({ status, payoutId }) =>
      status === 'paid-out' && provider.transfers.get(payoutId ?? '')?.status === 'reversed',
  );
  return back ? `the transfer to ${back.sellerId} came back` : null;
}
