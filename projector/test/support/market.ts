import {
  type BusinessNameEvent,
  businessNameKey,
  type ContactEvent,
  type InboxEvent,
  type OperationsEvent,
  type OrderLine,
  type ProductEvent,
  type ReviewEvent,
  type Sealed,
  type SellerEvent,
  type TransactionCommand,
  type TransactionEvent,
  type TransactionState,
  transaction,
} from '@oja/domain';
import type { RecordedEvent } from '@oja/platform';
import fc from 'fast-check';
import { positionAt } from './log.js';
import { recorded } from './shop.js';

export type Stream = readonly Omit<RecordedEvent, 'position'>[];
type Any =
  | SellerEvent
  | ProductEvent
  | TransactionEvent
  | BusinessNameEvent
  | InboxEvent
  | ReviewEvent
  | ContactEvent
  | OperationsEvent;

const START = Date.parse('2026-03-01T08:00:00.000Z');
const HOUR = 3_600_000;
const timeAfter = (hours: number) => new Date(START + hours * HOUR).toISOString();
const secret = (subject: string, text: string): Sealed => ({ sealed: text, subject });

/** Records the events of a stream one hour apart, from hour `begins`. */
function stream(name: string, begins: number, events: readonly Any[]): Stream {
  return events.map((event, i) => {
    const raw = recorded(name, i, event.type, event.data);
    return { ...raw, metadata: { ...raw.metadata, time: timeAfter(begins + i) } };
  });
}

const hours = fc.nat({ max: 24 * 60 });
const names = fc.constantFrom('Bag', 'Red Bag', 'Ọ̀já Téléphone', 'Lamp', 'lamp');
const businessNames = fc.constantFrom('Ada Stores', 'Chidi & Sons', 'Mama Put', 'Eko Gadgets');

const rights = fc.constantFrom(
  'SellerSuspended',
  'SellerReinstated',
  'SubAdminGranted',
  'SubAdminRevoked',
  'HeadAdminGranted',
  'HeadAdminRevoked',
  'SellerPasswordReset',
);

const mailed = fc.constantFrom(
  'SellerEmailAsked',
  'SellerEmailMistyped',
  'SellerEmailConfirmed',
  'SellerEmailRemoved',
  'SellerLettersSwitched',
);

function sellerStream(n: number): fc.Arbitrary<Stream> {
  const sellerId = `seller-${n}`;
  const profile = (businessName: string) => ({
    sellerId,
    businessName,
    name: secret(`seller:${sellerId}`, 'name'),
    phone: secret(`seller:${sellerId}`, 'phone'),
  });
  const later: fc.Arbitrary<SellerEvent> = fc.oneof(
    rights.map((type) => ({ type, data: { sellerId, by: 'operator' } })),
    businessNames.map((name) => ({ type: 'SellerProfileUpdated', data: profile(name) }) as const),
    mailed.map((type): SellerEvent => {
      const email = secret(`seller:${sellerId}`, 'email');
      const code = secret(`seller:${sellerId}`, 'code');
      if (type === 'SellerEmailAsked')
        return { type, data: { sellerId, ask: 1, email, code, at: timeAfter(0) } };
      if (type === 'SellerLettersSwitched') return { type, data: { sellerId, on: true } };
      return type === 'SellerEmailRemoved'
        ? { type, data: { sellerId } }
        : { type, data: { sellerId, ask: 1 } };
    }),
  );
  return fc
    .tuple(businessNames, hours, fc.array(later, { maxLength: 6 }))
    .map(([name, begins, events]) =>
      stream(`seller-${sellerId}`, begins, [
        { type: 'SellerRegistered', data: profile(name) },
        ...events,
      ]),
    );
}

function productStream(n: number, sellers: number): fc.Arbitrary<Stream> {
  const productId = `product-${n}`;
  return fc
    .record({
      seller: fc.nat({ max: sellers - 1 }),
      name: names,
      price: fc.integer({ min: 1, max: 50 }),
      begins: hours,
      used: fc.boolean(),
      events: fc.array(
        fc.constantFrom(
          'away',
          'back',
          'name',
          'price',
          'place',
          'taken',
          'returned',
          'count',
          'uncount',
          'pictures',
        ),
        { maxLength: 8 },
      ),
      stock: fc.option(fc.integer({ min: 2, max: 9 }), { nil: undefined }),
      ofOrder: fc.nat({ max: 2 }),
      removed: fc.boolean(),
    })
    .map(({ seller, name, price, begins, used, events, removed, stock, ofOrder }) => {
      const of = { productId, sellerId: `seller-${seller}` };
      const order = { transactionId: `order-${ofOrder}`, providerId: `m-order-${ofOrder}` };
      const taken = { ...of, ...order, quantity: 1, at: timeAfter(begins) };
      const changes: Record<(typeof events)[number], ProductEvent> = {
        away: { type: 'ProductMadeUnavailable', data: of },
        back: { type: 'ProductMadeAvailable', data: of },
        taken: { type: 'StockTaken', data: taken },
        returned: { type: 'StockReturned', data: taken },
        count: { type: 'ProductUpdated', data: { ...of, stock: 4 } },
        uncount: { type: 'ProductUpdated', data: { ...of, stock: null } },
        name: { type: 'ProductUpdated', data: { ...of, name: `${name} 2` } },
        price: { type: 'ProductUpdated', data: { ...of, price: 22_000, priceKind: 'update' } },
        pictures: { type: 'ProductUpdated', data: { ...of, images: ['3.webp', '1.webp'] } },
        place: {
          type: 'ProductUpdated',
          data: { ...of, localGovt: 'Ikeja', state: 'Lagos', attributes: { color: 'blue' } },
        },
      };
      return stream(`product-${productId}`, begins, [
        {
          type: 'ProductListed',
          data: {
            ...of,
            name,
            price: price * 11_500,
            priceKind: 'upload',
            description: 'Fine',
            subcategoryId: 1,
            state: 'Enugu',
            localGovt: 'Nsukka',
            ...(used ? { condition: 'Used' } : {}),
            attributes: { color: 'red', size: 'L' },
            images: ['a.jpg', 'b.jpg'],
            stock,
            at: timeAfter(begins),
          },
        },
        ...events.map((event) => changes[event]),
        ...(removed ? [{ type: 'ProductRemoved', data: of } as const] : []),
      ]);
    });
}

const line = (product: number, seller: number, quantity: number): OrderLine => ({
  productId: `product-${product}`,
  sellerId: `seller-${seller}`,
  businessName: `Name ${seller}`,
  name: `Thing ${product}`,
  image: `${product}.jpg`,
  subcategoryId: 1,
  quantity,
  unitPrice: 1_150_000,
  priceKind: 'upload',
});

/** A request to an order; the domain decides whether it changes anything. */
type Ask =
  | 'initialized'
  | 'paid'
  | 'mismatched'
  | 'reversed'
  | 'expire'
  | 'confirm'
  | 'not-yet'
  | 'problem'
  | 'release'
  | 'refund'
  | 'payout'
  | 'payout-done'
  | 'payout-failed'
  | 'refund-done'
  | 'remove';
const asks = fc.constantFrom<Ask>(
  'initialized',
  'paid',
  'paid',
  'mismatched',
  'reversed',
  'expire',
  'confirm',
  'not-yet',
  'problem',
  'release',
  'refund',
  'payout',
  'payout-done',
  'payout-failed',
  'refund-done',
  'remove',
);

function commandOf(ask: Ask, state: TransactionState, at: string): TransactionCommand | null {
  if (state.status === 'none') return null;
  const { transactionId, amount, shares, refunds } = state;
  const sellerId = shares[0]?.sellerId ?? '';
  const payoutId = shares[0]?.payoutId ?? '';
  const refundId = refunds.find(({ status }) => status === 'requested')?.refundId ?? '';
  const verify = {
    type: 'VerifyPayment',
    reference: transactionId,
    currency: 'NGN',
    fees: 100,
    channel: 'card',
    paidAt: null,
    at,
  } as const;
  switch (ask) {
    case 'initialized':
      return {
        type: 'RecordInitialized',
        reference: `${transactionId}-2`,
        accessCode: 'x',
        authorizationUrl: 'https://pay.example/x',
      };
    case 'paid':
      return { ...verify, status: 'success', amount, providerId: `p-${transactionId}` };
    case 'mismatched':
      return { ...verify, status: 'success', amount: 5, providerId: `m-${transactionId}` };
    case 'reversed':
      return { ...verify, status: 'reversed', amount, providerId: `p-${transactionId}` };
    case 'expire':
      return { type: 'ExpireOrder', at };
    case 'confirm':
      return { type: 'ConfirmDelivery', at };
    case 'not-yet':
      return { type: 'ReportNotReceived', at };
    case 'problem': {
      const complaint = secret(`transaction:${transactionId}`, 'complaint');
      return { type: 'ReportProblem', sellerIds: [sellerId], complaint, at };
    }
    case 'release':
    case 'refund':
      return { type: 'ResolveDispute', sellerId, outcome: ask, by: 'operator', at };
    case 'payout':
      return { type: 'RequestPayout', sellerId, method: 'transfer', at };
    case 'payout-done':
      return { type: 'CompletePayout', payoutId, at };
    case 'payout-failed':
      return { type: 'FailPayout', payoutId, reason: 'no such account', at };
    case 'refund-done':
      return { type: 'CompleteRefund', refundId, at };
    case 'remove':
      return { type: 'RemoveBuyerRecord', by: 'operator', at };
  }
}

/** An order's events, as the domain decides them. Each step waits some hours first, so that 48 hours can pass. */
export function orderEvents(
  id: string,
  lines: readonly OrderLine[],
  begins: number,
  steps: readonly (readonly [Ask, number])[],
): { readonly events: readonly TransactionEvent[]; readonly state: TransactionState } {
  const sealed = (text: string) => secret(`transaction:${id}`, text);
  const subtotal = lines.reduce((sum, each) => sum + each.unitPrice * each.quantity, 0);
  const events: TransactionEvent[] = [];
  let state: TransactionState = transaction.initial;
  const carryOut = (command: TransactionCommand | null) => {
    if (command === null) return;
    const decision = transaction.decide(command, state);
    if (!decision.ok) return;
    for (const event of decision.events) {
      events.push(event);
      state = transaction.evolve(state, event);
    }
  };
  carryOut({
    type: 'PlaceOrder',
    transactionId: id,
    lines,
    amount: subtotal,
    fullName: sealed('name'),
    email: sealed('email'),
    homeAddress: sealed('address'),
    phoneNumber: sealed('phone'),
    secret: sealed('secret'),
    at: timeAfter(begins),
  });
  let hour = begins;
  for (const [ask, wait] of steps) {
    hour += wait;
    carryOut(commandOf(ask, state, timeAfter(hour)));
  }
  return { events, state };
}

function orderStream(n: number, sellers: number, products: number): fc.Arbitrary<Stream> {
  const lines = fc
    .uniqueArray(fc.nat({ max: products - 1 }), { minLength: 1, maxLength: 3 })
    .chain((chosen) =>
      fc.tuple(
        ...chosen.map((product) =>
          fc
            .tuple(fc.nat({ max: sellers - 1 }), fc.integer({ min: 1, max: 3 }))
            .map(([seller, quantity]) => line(product, seller, quantity)),
        ),
      ),
    );
  const steps = fc.array(fc.tuple(asks, fc.integer({ min: 1, max: 60 })), { maxLength: 12 });
  return fc
    .tuple(lines, hours, steps)
    .map(([goods, begins, asked]) =>
      stream(
        `transaction-order-${n}`,
        begins,
        orderEvents(`order-${n}`, goods, begins, [['paid', 1], ...asked]).events,
      ),
    );
}

function nameStream(nameKey: string, sellers: number): fc.Arbitrary<Stream> {
  return fc
    .tuple(hours, fc.array(fc.nat({ max: sellers - 1 }), { maxLength: 3 }), fc.boolean())
    .map(([begins, holders, released]) => {
      const events = holders.flatMap((seller, i): BusinessNameEvent[] => {
        const sellerId = `seller-${seller}`;
        const at = timeAfter(begins + 2 * i);
        const claim = { nameKey, businessName: nameKey, sellerId, at };
        const last = i === holders.length - 1;
        return [
          { type: 'BusinessNameClaimed', data: claim },
          ...(last && !released
            ? []
            : [{ type: 'BusinessNameReleased', data: { nameKey, sellerId } } as const]),
        ];
      });
      return stream(`businessName-${nameKey}`, begins, events);
    });
}

function otherStreams(sellers: number): fc.Arbitrary<readonly Stream[]> {
  const by = fc.option(fc.tuple(fc.nat({ max: sellers - 1 }), businessNames));
  const review = fc
    .tuple(fc.integer({ min: 1, max: 5 }), hours, by)
    .map(([stars, begins, signed]) => ({
      businessName: signed === null ? null : signed[1],
      sellerId: signed === null ? null : `seller-${signed[0]}`,
      comment: 'Good',
      stars,
      at: timeAfter(begins),
    }));
  const cleared = fc.tuple(fc.nat({ max: sellers - 1 }), fc.integer({ min: 1, max: 40 }));
  const erased = fc.subarray(['transaction:order-0', 'seller:seller-0', 'contact:c-1']);
  return fc
    .tuple(fc.array(review, { maxLength: 4 }), fc.array(cleared, { maxLength: 3 }), erased)
    .map(([reviews, clears, subjects]) => [
      ...reviews.map((posted, i) => {
        const reviewId = `review-${i}`;
        return stream(reviewId, i, [{ type: 'ReviewPosted', data: { reviewId, ...posted } }]);
      }),
      ...clears.map(([seller, upTo], i) => {
        const sellerId = `seller-${seller}`;
        return stream(`inbox-${sellerId}-${i}`, i, [
          { type: 'NotificationsCleared', data: { sellerId, upTo: positionAt(upTo) } },
        ]);
      }),
      stream(
        'operations',
        5,
        subjects.map((subject) => ({
          type: 'SubjectErased' as const,
          data: { subject, at: timeAfter(5) },
        })),
      ),
    ]);
}

/** The streams of a small market. Each stream is valid by itself, whatever the others hold. */
export const market: fc.Arbitrary<readonly Stream[]> = fc
  .record({
    sellers: fc.integer({ min: 1, max: 3 }),
    products: fc.integer({ min: 1, max: 4 }),
    orders: fc.integer({ min: 0, max: 4 }),
  })
  .chain(({ sellers, products, orders }) =>
    fc.tuple(
      fc.tuple(...Array.from({ length: sellers }, (_, n) => sellerStream(n))),
      fc.tuple(...Array.from({ length: products }, (_, n) => productStream(n, sellers))),
      fc.tuple(...Array.from({ length: orders }, (_, n) => orderStream(n, sellers, products))),
      fc.tuple(
        ...['Ada Stores', 'Mama Put'].map((name) => nameStream(businessNameKey(name), sellers)),
      ),
      otherStreams(sellers),
    ),
  )
  .map((streams) => streams.flat());
