import { randomBytes } from 'node:crypto';
import type { AnswerOf, BodyOf, Calls } from '@oja/contracts';
import { pagePaths } from '@oja/contracts/pages';
import {
  isAmountChanged,
  type ListedProduct,
  type OrderLine,
  orderRefusal,
  type PlacedOrder,
  type ProductState,
  product,
  type Refusal,
  type SellerState,
  seller,
  streamNames,
  type TransactionState,
  transaction,
} from '@oja/domain';
import {
  koboToNaira,
  MINUTE_MS,
  nairaToKobo,
  orderKey,
  paymentReference,
  STOCK_HOLD_MS,
} from '@oja/domain/rules';
import type { Failure } from '@oja/http';
import {
  emptyStream,
  type InitializedPayment,
  type JsonObject,
  type Loaded,
  loggedFailure,
  nowOf,
  type PaymentFailure,
  type Position,
} from '@oja/platform';
import { z } from 'zod';
import {
  BUYER,
  conflictAnswer,
  contextFor,
  factCommandId,
  factContext,
  failedAnswer,
  refusalAnswer,
  reusedKeyAnswer,
} from '../commands.js';
import type { Deps, Handler } from '../deps.js';
import {
  addToOrderCookie,
  buyerSubject,
  CHECKOUT_COOKIE,
  loadOrder,
  noSuchOrderAnswer,
  type Order,
  openSecret,
  runOrderCommand,
  transactionIdOf,
} from './order.js';
import { endHolds, type HoldFailure, holdStock, renewHolds, type ShortGoods } from './stock.js';
import { verifyPayment } from './verify-payment.js';

// 1. The order.

/** The buyer's request: personal data, goods, and the total they agreed to. */
type Checkout = BodyOf<Calls['initializeTransaction']>;

interface WantedItem {
  readonly product_id: string;
  readonly user_id: string;
  readonly quantity: number;
}

/** Goods that cannot be bought, by their names on the wire. */
type GoneGoods = readonly {
  readonly product_id: string;
  /** Null when the product never existed. */
  readonly prod_name: string | null;
}[];

type Products = ReadonlyMap<string, Loaded<ProductState>>;
type ResolvedGoods =
  | { readonly ok: true; readonly lines: readonly OrderLine[]; readonly products: Products }
  | { readonly ok: false; readonly gone: GoneGoods };

/**
 * Reads the goods from the products' and sellers' own streams, because a read model may show an old
 * price. The cart also sends a `user_id`, but the seller is taken from the product's stream.
 */
async function resolveGoods(
  { load }: Pick<Deps, 'load'>,
  items: readonly WantedItem[],
): Promise<ResolvedGoods> {
  const loaded = await Promise.all(items.map(({ product_id }) => load(product, product_id)));
  const products = new Map<string, Loaded<ProductState>>();
  for (const [index, { product_id }] of items.entries()) {
    const read = loaded[index];
    if (read !== undefined) products.set(product_id, read);
  }
  const sellerIds = new Set(
    loaded.flatMap(({ state }) => (state.status === 'none' ? [] : [state.sellerId])),
  );
  const sellers = new Map<string, SellerState>();
  await Promise.all(
    [...sellerIds].map(async (id) => sellers.set(id, (await load(seller, id)).state)),
  );

  const lines: OrderLine[] = [];
  const gone: { product_id: string; prod_name: string | null }[] = [];
  for (const item of items) {
    const found = products.get(item.product_id)?.state;
    const listed = found === undefined || found.status === 'none' ? null : found;
    const owner = listed === null ? undefined : sellers.get(listed.sellerId);
    const line = listed && owner && lineOf(listed, owner, item.quantity);
    if (line) lines.push(line);
    else gone.push({ product_id: item.product_id, prod_name: listed?.name ?? null });
  }
  return gone.length === 0 ? { ok: true, lines, products } : { ok: false, gone };
}

/** The order line for a product; null when it cannot be bought. */
function lineOf(goods: ListedProduct, owner: SellerState, quantity: number): OrderLine | null {
  if (goods.status !== 'available') return null;
  if (owner.status === 'none' || owner.isSuspended) return null;
  return {
    productId: goods.productId,
    sellerId: goods.sellerId,
    businessName: owner.businessName,
    name: goods.name,
    image: goods.images[0] ?? '',
    subcategoryId: goods.subcategoryId,
    quantity,
    unitPrice: goods.price,
    priceKind: goods.priceKind,
  };
}

const UNNAMED = 'a product that is not there';

const itOrThem = (goods: readonly unknown[]) => (goods.length === 1 ? 'it' : 'them');

/** The message that names the missing goods. */
function goneText(gone: GoneGoods): string {
  const names = [...new Set(gone.map(({ prod_name }) => prod_name ?? UNNAMED))];
  return `No longer available: ${names.join(', ')}. Please take ${itOrThem(gone)} out of the cart.`;
}

/** The message that says for each product what the shopper can do. */
function shortText(short: readonly ShortGoods[]): string {
  const named = (of: readonly ShortGoods[]) => of.map(({ prod_name }) => prod_name).join(', ');
  const some = short.filter(({ left }) => left > 0);
  const waiting = short.filter(({ left, isHeldByOthers }) => left === 0 && isHeldByOthers);
  const none = short.filter(({ left, isHeldByOthers }) => left === 0 && !isHeldByOthers);
  return [
    none.length > 0 && `Sold out: ${named(none)}. Please take ${itOrThem(none)} out of the cart.`,
    waiting.length > 0 &&
      `Someone else is paying for the last: ${named(waiting)}. Try again in ${STOCK_HOLD_MS / MINUTE_MS} minutes, or take ${itOrThem(waiting)} out of the cart.`,
    ...some.map(({ prod_name, left }) => `Only ${left} left: ${prod_name}. Please order fewer.`),
  ]
    .filter((text) => text !== false)
    .join(' ');
}

interface Placing {
  readonly body: Checkout;
  readonly commandId: string;
  readonly correlationId: string;
  readonly cookie: (name: string) => string | undefined;
}

type Placed =
  | {
      readonly ok: true;
      readonly order: Order;
      /** The secret of an order that this request has placed; null for one that an earlier request placed. */
      readonly secret: string | null;
    }
  | { readonly ok: false; readonly failed: Failure };

const notPlaced = (failed: Failure): Placed => ({ ok: false, failed });

const SECRET_BYTES = 16;

const REUSED: Failure = reusedKeyAnswer('order').failed;

/** The payment page of such an order is done with. The same code lets the form take a new key. */
const GOES_BACK: Failure = {
  ...REUSED,
  message: 'What you paid for this order goes back to you. Please try again to order anew.',
};

/**
 * Places an order once. A repeated request gets the order as it was placed, whatever has happened to the goods
 * since, unless they were sold to others before anybody paid. It must have the same buyer, goods and amount, because
 * the answer gives access to the order.
 */
async function placeOrder(deps: Deps, placing: Placing): Promise<Placed> {
  const transactionId = transactionIdOf(placing.commandId);
  const earlier = await loadOrder(deps, transactionId);
  const placed: Placed =
    earlier === null
      ? await placeNew(deps, placing, transactionId)
      : { ok: true, order: earlier, secret: null };
  if (!placed.ok || placed.secret !== null) return placed;
  if (!(await isSameOrder(deps, placed.order, placing.body))) return notPlaced(REUSED);
  const { state } = placed.order;
  if (state.reversed || (state.payment === null && state.mismatched.length > 0))
    return notPlaced(GOES_BACK);
  if (earlier === null || state.payment !== null) return placed;
  // Its hold may have ended long ago: whoever goes to the payment page must find the goods there after paying.
  const held = await renewHolds(deps, state, placing.cookie(CHECKOUT_COOKIE));
  return held.kind === 'held' ? placed : notPlaced(holdFailure(held));
}

async function placeNew(deps: Deps, placing: Placing, transactionId: string): Promise<Placed> {
  const { body } = placing;
  const goods = await resolveGoods(deps, body.buyerItems);
  if (!goods.ok) return notPlaced(goneFailure(goods.gone));
  const { lines } = goods;
  const amount = nairaToKobo(body.amount);
  // Checked before sealing, so that a refused order leaves no key behind.
  const refusal = orderRefusal(lines, amount);
  if (refusal !== null) return notPlaced(refusedOrder(refusal));
  const { products } = goods;
  const cookie = placing.cookie(CHECKOUT_COOKIE);
  const held = await holdStock(deps, { transactionId, lines, products, cookie });
  if (held.kind !== 'held') return notPlaced(holdFailure(held));

  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const sealed = await deps.sealer.seal(
    buyerSubject(transactionId),
    streamNames.transaction(transactionId),
    {
      fullName: body.full_name,
      email: body.email,
      homeAddress: body.home_address,
      phoneNumber: body.phone_number,
      secret,
    },
  );
  const at = nowOf(deps);
  const what = { type: 'PlaceOrder', transactionId, lines, amount, ...sealed, at } as const;
  const context = contextFor(placing, BUYER);
  const nothingYet = emptyStream<TransactionState>(transaction.initial);
  const handled = await runOrderCommand(deps, transactionId, what, context, nothingYet);
  if (!handled.ok)
    return notPlaced(
      handled.conflict ? failedAnswer(handled).failed : refusedOrder(handled.refusal),
    );
  const { state, position, known, repeated } = handled;
  if (state.status === 'none' || position === null) throw new Error('a placed order is not there');
  return { ok: true, order: { state, position, known }, secret: repeated ? null : secret };
}

/** The answer where the stock of an order could not be held. */
function holdFailure(failure: HoldFailure): Failure {
  if (failure.kind === 'busy') return conflictAnswer().failed;
  if (failure.kind === 'gone')
    return goneFailure([{ product_id: failure.line.productId, prod_name: failure.line.name }]);
  const gone = failure.short.map(({ isHeldByOthers: _, ...goods }) => goods);
  return { status: 409, code: 'sold_out', message: shortText(failure.short), details: { gone } };
}

const goneFailure = (gone: GoneGoods): Failure => ({
  status: 409,
  code: 'goods_gone',
  message: goneText(gone),
  details: { gone },
});

/** The answer to a refused order. A changed total is given in naira, so that the form can show it and ask again. */
function refusedOrder(refusal: Refusal): Failure {
  const { failed } = refusalAnswer(refusal);
  if (!isAmountChanged(refusal)) return failed;
  return { ...failed, details: { amount: koboToNaira(refusal.amount) } };
}

/** Whether a request is for exactly this order: the same buyer, goods and amount. */
async function isSameOrder({ sealer }: Deps, { state }: Order, body: Checkout): Promise<boolean> {
  const wanted = body.buyerItems.map((item) => `${item.product_id} ${item.quantity}`);
  const placed = state.lines.map((line) => `${line.productId} ${line.quantity}`);
  if (wanted.join() !== placed.join() || nairaToKobo(body.amount) !== state.amount) return false;

  const stream = streamNames.transaction(state.transactionId);
  const { fullName, email, homeAddress, phoneNumber } = state.buyer;
  const opened = await sealer.openMany([
    { stream, field: 'fullName', value: fullName },
    { stream, field: 'email', value: email },
    { stream, field: 'homeAddress', value: homeAddress },
    { stream, field: 'phoneNumber', value: phoneNumber },
  ]);
  const given = [body.full_name, body.email, body.home_address, body.phone_number];
  return given.every((value, index) => value === opened[index]);
}

// 2. The address to pay at.

type Payable =
  | { readonly ok: true; readonly envelope: JsonObject; readonly position: Position }
  | { readonly ok: false; readonly failed: Failure };

/** Where the provider sends the buyer back to after a payment. `publicUrl`: without a trailing slash. */
export const paymentReturnUrl = (publicUrl: string): string =>
  `${publicUrl}${pagePaths.paymentVerification}`;

/** How many answers may be lost in one request before the buyer is told to try again. */
const MAX_LOST_ANSWERS = 2;
/** How many references earlier requests with lost answers may have used up. */
const MAX_USED_REFERENCES = 20;

const DOWN: Failure = {
  status: 503,
  message: 'The payment provider does not answer. Your order is kept: please try again.',
  code: 'provider_unavailable',
  headers: { 'Retry-After': '5' },
};
/** The provider refuses the market's own key: the buyer can do nothing about it. */
const CLOSED: Failure = {
  ...DOWN,
  message: 'Payments cannot be taken at the moment. Your order is kept: please try again later.',
  headers: { 'Retry-After': '300' },
};
const REFUSED: Failure = {
  status: 502,
  message: 'The payment provider did not take this payment. Please check your e-mail address.',
  code: 'provider_refused',
};

/** The provider's answer to an earlier attempt, rebuilt from the stream; null when there is none. */
function knownEnvelope({ attempts }: PlacedOrder): JsonObject | null {
  const last = attempts.at(-1);
  if (last === undefined || last.authorizationUrl === null) return null;
  const { reference, accessCode, authorizationUrl } = last;
  const data = { authorization_url: authorizationUrl, access_code: accessCode, reference };
  return { status: true, message: 'Authorization URL created', data };
}

/**
 * Gets the address where the buyer pays. The provider is asked once per order; a repeated request is answered from
 * the stream. The provider accepts each reference only once, so after a lost answer the next attempt uses another
 * one. The lost page was never shown to anyone, and a payment on it would still belong to this order.
 */
async function askProvider(deps: Deps, placed: Order, email: string): Promise<Payable> {
  const { transactionId } = placed.state;
  let order = placed;
  let lost = 0;
  for (let used = 0; used < MAX_USED_REFERENCES; used += 1) {
    const envelope = knownEnvelope(order.state);
    if (envelope !== null) return { ok: true, envelope, position: order.position };
    const reference = paymentReference(transactionId, order.state.attempts.length + used + 1);
    const answer = await deps.payments.initialize({
      email,
      amount: order.state.amount,
      currency: 'NGN',
      reference,
      callbackUrl: paymentReturnUrl(deps.settings.publicUrl),
      metadata: { order: transactionId },
    });
    if (answer.ok) return recordAttempt(deps, order, answer.value);

    deps.logger.warn(
      { order: transactionId, ...loggedFailure(answer) },
      'the payment provider gave no payment page for an order',
    );
    const isLost = answer.reason === 'unreachable';
    if (answer.reason === 'refused') await endHolds(deps, transactionId);
    if (!isLost && answer.reason !== 'duplicate-reference') return toPayableFailure(answer);
    if (isLost) lost += 1;
    if (lost === MAX_LOST_ANSWERS) return { ok: false, failed: DOWN };
    const verification = await verifyPayment(deps, reference, 'return');
    if (verification.kind === 'unanswered') return { ok: false, failed: DOWN };
    // The lost request never reached the provider, so the same reference can be used again.
    if (isLost && verification.kind === 'answered' && verification.status === 'not-started')
      used -= 1;
    order = (await loadOrder(deps, transactionId)) ?? order;
  }
  return { ok: false, failed: DOWN };
}

async function recordAttempt(
  deps: Deps,
  { state, known }: Order,
  { reference, accessCode, authorizationUrl, envelope }: InitializedPayment,
): Promise<Payable> {
  const handled = await runOrderCommand(
    deps,
    state.transactionId,
    { type: 'RecordInitialized', reference, accessCode, authorizationUrl },
    factContext(factCommandId('initialized', reference), BUYER),
    known,
  );
  if (!handled.ok) return { ok: false, ...failedAnswer(handled) };
  if (handled.position === null) throw new Error('an order that was recorded is not there');
  return { ok: true, envelope, position: handled.position };
}

function toPayableFailure(failure: PaymentFailure): Payable {
  if (failure.reason === 'unauthorized') return { ok: false, failed: CLOSED };
  if (failure.reason !== 'rate-limited') return { ok: false, failed: REFUSED };
  const headers = { 'Retry-After': String(failure.retryAfterSeconds) };
  return { ok: false, failed: { ...DOWN, headers } };
}

/** The part of the provider's answer that the browser needs. */
const envelopeForm = z.looseObject({ data: z.looseObject({ authorization_url: z.string() }) });

/**
 * Places the order, then asks the provider for an address to pay at. A failure in between loses
 * neither: the client repeats the call.
 */
export function initializeTransaction(deps: Deps): Handler<'initializeTransaction'> {
  return async (request) => {
    const placed = await placeOrder(deps, request);
    if (!placed.ok) return { failed: placed.failed };
    const { order } = placed;
    const secret = placed.secret ?? (await openSecret(deps, order.state));
    if (secret === null) return noSuchOrderAnswer;
    const { transactionId } = order.state;
    // Also when there is no payment page: the stock that the order holds must stay free for this browser's next order.
    const cookies = [addToOrderCookie(request.cookie(CHECKOUT_COOKIE), transactionId, secret)];
    const payable = await askProvider(deps, order, request.body.email);
    if (!payable.ok) return { failed: payable.failed, cookies };

    const body: AnswerOf<Calls['initializeTransaction'], 200> = {
      success: true,
      data: envelopeForm.parse(payable.envelope),
      transactionId: orderKey(transactionId, secret),
    };
    return {
      status: 200,
      body,
      cookies,
      position: payable.position,
    };
  };
}
