import fc from 'fast-check';
import type { BusinessNameCommand } from '../src/business-name.js';
import type { InboxCommand } from '../src/inbox.js';
import type { ProductCommand } from '../src/product/product.js';
import type { ReviewCommand } from '../src/review.js';
import { businessNameKey } from '../src/rules/business-name.js';
import { attributeNames } from '../src/rules/catalogue.js';
import type { Actor, SellerCommand } from '../src/seller.js';
import { hour } from './orders.js';

/** Random commands of every kind, valid or not. They share a few ids, so that they hit the same instances. */
const sealed = fc.constant({ sealed: 'x', subject: 'x' });
const sellerId = fc.constantFrom('ada', 'bisi');
const at = fc.integer({ min: 0, max: 100 }).map(hour);
const text = fc.oneof(fc.string(), fc.constantFrom('', ' ', 'Ada Stores', 'Ọ̀já', 'admin'));
const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(1, 0, 11_500, 1_150_000));

const actor: fc.Arbitrary<Actor> = fc.oneof(
  fc.constant({ kind: 'operator' as const }),
  fc.record({ kind: fc.constant('seller' as const), sellerId, isHeadAdmin: fc.boolean() }),
);
const claim = fc.integer({ min: 1, max: 3 });
const nameKey = fc.constantFrom('ada-stores', 'oja', 'constructor');
const profile = { businessName: text, name: sealed, phone: sealed };
export const sellerCommand: fc.Arbitrary<SellerCommand> = fc.oneof(
  fc.record({ type: fc.constant('RegisterSeller' as const), sellerId, claim, ...profile }),
  fc.record({ type: fc.constant('UpdateProfile' as const), claim, ...profile }),
  fc.record({ type: fc.constant('ForgoName' as const), sellerId, nameKey, claim }),
  fc.record({ type: fc.constant('ToggleSuspension' as const), actor }),
  fc.record({ type: fc.constant('SetSubAdmin' as const), isSubAdmin: fc.boolean(), actor }),
  fc.record({ type: fc.constant('SetHeadAdmin' as const), isHeadAdmin: fc.boolean(), actor }),
  fc.record({
    type: fc.constant('SetPayoutAccount' as const),
    accountName: sealed,
    accountNumber: sealed,
    bankCode: sealed,
  }),
  fc.record({ type: fc.constant('AskEmail' as const), email: sealed, code: sealed, at }),
  fc.record({
    type: fc.constant('ConfirmEmail' as const),
    ask: fc.integer({ min: 1, max: 4 }),
    isRight: fc.boolean(),
    at,
  }),
  fc.constant({ type: 'RemoveEmail' as const }),
  fc.record({ type: fc.constant('SwitchLetters' as const), on: fc.boolean() }),
);

export const businessNameCommand: fc.Arbitrary<BusinessNameCommand> = fc.oneof(
  fc
    .record({ type: fc.constant('ClaimName' as const), businessName: text, sellerId, at })
    .map((claim) => ({ ...claim, nameKey: businessNameKey(claim.businessName) })),
  fc.record({
    type: fc.constant('ReleaseName' as const),
    sellerId,
    claim: fc.option(claim, { nil: undefined }),
  }),
);

const attributes = fc.dictionary(fc.constantFrom(...attributeNames, 'x'), fc.oneof(text, number));
const condition = fc.constantFrom('New' as const, 'Used' as const, undefined);
const state = fc.constantFrom('Lagos', 'Enugu', 'Kano');
const localGovt = fc.constantFrom('Ikeja', 'Nsukka', '');
const details = { name: text, price: number, description: text, state, localGovt, condition };
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
const transactionId = fc.constantFrom('order-1', 'order-2');
const providerId = fc.constantFrom('payment-1', 'payment-2');
const quantity = fc.integer({ min: 1, max: 2 });
export const productCommand: fc.Arbitrary<ProductCommand> = fc.oneof(
  fc.record({
    type: fc.constant('ListProduct' as const),
    productId: fc.constant('thing'),
    sellerId,
    subcategoryId: fc.oneof(fc.integer({ min: 1, max: 28 }), fc.integer()),
    images: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 7 }),
    at,
    ...details,
    attributes,
  }),
  // A command that is always accepted, so that the others find a product.
  fc.record({
    type: fc.constant('ListProduct' as const),
    productId: fc.constant('thing'),
    sellerId,
    subcategoryId: fc.constantFrom(1, 13, 18),
    images: fc.constant(['a', 'b']),
    at,
    name: fc.constant('Thing'),
    price: fc.constant(1_150_000),
    description: fc.constant('Fine'),
    state: fc.constant('Lagos'),
    localGovt: fc.constant('Ikeja'),
    attributes: fc.constant({ brand: 'B' }),
    stock: fc.constantFrom(undefined, 0, 1, 5),
  }),
  fc.record({
    type: fc.constant('UpdateProduct' as const),
    sellerId,
    name: maybe(text),
    price: maybe(number),
    description: maybe(text),
    state: maybe(state),
    localGovt: maybe(localGovt),
    condition,
    attributes: maybe(attributes),
    stock: maybe(fc.option(fc.integer({ min: -1, max: 3 }))),
  }),
  fc.record({
    type: fc.constant('HoldStock' as const),
    transactionId,
    quantity,
    insteadOf: maybe(fc.array(transactionId, { maxLength: 1 })),
    at,
  }),
  fc.record({ type: fc.constant('EndStockHold' as const), transactionId, at }),
  fc.record({ type: fc.constant('TakeStock' as const), transactionId, providerId, quantity, at }),
  fc.record({ type: fc.constant('ReturnStock' as const), transactionId, providerId, at }),
  fc.record({ type: fc.constant('ToggleAvailability' as const), sellerId }),
  fc.record({
    type: fc.constant('RemoveProduct' as const),
    sellerId,
    inTransaction: fc.boolean(),
  }),
);

export const reviewCommand: fc.Arbitrary<ReviewCommand> = fc.record({
  type: fc.constant('PostReview' as const),
  reviewId: fc.constant('r'),
  by: fc.option(fc.record({ sellerId, businessName: text })),
  comment: text,
  stars: number,
  at,
});

const subscriptionId = fc.integer({ min: 0, max: 20 }).map((n) => `browser-${n}`);
export const inboxCommand: fc.Arbitrary<InboxCommand> = fc.oneof(
  fc.record({
    type: fc.constant('SubscribePush' as const),
    sellerId,
    subscriptionId,
    subscription: sealed,
  }),
  fc.record({ type: fc.constant('UnsubscribePush' as const), sellerId, subscriptionId }),
  fc.record({ type: fc.constant('ClearNotifications' as const), sellerId, upTo: fc.string() }),
);
