import { randomBytes } from 'node:crypto';
import type { BodyOf, Calls } from '@oja/contracts';
import {
  isAmountChanged,
  type ListedProduct,
  type OrderLine,
  orderRefusal,
  type Refusal,
  type SellerState,
  seller,
  streamNames,
  type TransactionState,
  transaction,
} from '@oja/domain';
import { koboToNaira, MINUTE_MS, nairaToKobo, orderKey, STOCK_HOLD_MS } from '@oja/domain/rules';
import { refuse } from '@oja/http';
import { emptyStream, nowOf } from '@oja/platform';
import { z } from 'zod';
import {
  type Answer,
  BUYER,
  conflictAnswer,
  contextFor,
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
import { obtainPaymentPage } from './payment-page.js';
import { type HoldFailure, holdStock, loadProducts, renewHolds, type ShortGoods } from './stock.js';

/** The buyer's request: personal data, goods, and the total they agreed to. */
type Checkout = BodyOf<Calls['initializeTransaction']>;

/** Goods that cannot be bought, by their names on the wire. */
type GoneGoods = readonly {
  readonly product_id: string;
  /** Null when the product never existed. */
  readonly prod_name: string | null;
}[];

interface ResolvedGoods {
  readonly lines: readonly OrderLine[];
  readonly products: Awaited<ReturnType<typeof loadProducts>>;
  readonly gone: GoneGoods;
}

/**
 * Reads the goods from the products' and sellers' own streams, because a read model may show an old
 * price. The cart also sends a `user_id`, but the seller is taken from the product's stream.
 */
async function resolveGoods(
  deps: Pick<Deps, 'load'>,
  items: Checkout['buyerItems'],
): Promise<ResolvedGoods> {
  const ids = items.map(({ product_id }) => product_id);
  const products = await loadProducts(deps, ids);
  const sellerIds = new Set(
    [...products.values()].flatMap(({ state }) => (state.status === 'none' ? [] : state.sellerId)),
  );
  const sellers = new Map(
    await Promise.all(
      [...sellerIds].map(async (id) => [id, (await deps.load(seller, id)).state] as const),
    ),
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
  return { lines, products, gone };
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

interface Placed {
  readonly order: Order;
  /** The secret of an order that this request has placed; null for one that an earlier request placed. */
  readonly secret: string | null;
}

const SECRET_BYTES = 16;

const REUSED = reusedKeyAnswer('order');

/** The payment page of such an order is done with. The same code lets the form take a new key. */
const GOES_BACK: Answer = {
  failed: {
    ...REUSED.failed,
    message: 'What you paid for this order goes back to you. Please try again to order anew.',
  },
};

/**
 * Places an order once. A repeated request gets the order as it was placed, whatever has happened to the goods
 * since, unless they were sold to others before anybody paid. It must have the same buyer, goods and amount, because
 * the answer gives access to the order.
 */
async function placeOrder(deps: Deps, placing: Placing): Promise<Placed | Answer> {
  const transactionId = transactionIdOf(placing.commandId);
  const earlier = await loadOrder(deps, transactionId);
  const placed =
    earlier === null
      ? await placeNew(deps, placing, transactionId)
      : { order: earlier, secret: null };
  if ('failed' in placed || placed.secret !== null) return placed;
  if (!(await isSameOrder(deps, placed.order, placing.body))) return REUSED;
  const { state } = placed.order;
  if (state.reversed || (state.payment === null && state.mismatched.length > 0)) return GOES_BACK;
  if (earlier === null || state.payment !== null) return placed;
  // Its hold may have ended long ago: whoever goes to the payment page must find the goods there after paying.
  const held = await renewHolds(deps, state, placing.cookie(CHECKOUT_COOKIE));
  return held.kind === 'held' ? placed : notHeldAnswer(held);
}

async function placeNew(
  deps: Deps,
  placing: Placing,
  transactionId: string,
): Promise<Placed | Answer> {
  const { body } = placing;
  const { lines, products, gone } = await resolveGoods(deps, body.buyerItems);
  if (gone.length > 0) return goneAnswer(gone);
  const amount = nairaToKobo(body.amount);
  // Checked before sealing, so that a refused order leaves no key behind.
  const refusal = orderRefusal(lines, amount);
  if (refusal !== null) return refusedAnswer(refusal);
  const cookie = placing.cookie(CHECKOUT_COOKIE);
  const held = await holdStock(deps, { transactionId, lines, products, cookie });
  if (held.kind !== 'held') return notHeldAnswer(held);

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
  if (!handled.ok) return handled.conflict ? failedAnswer(handled) : refusedAnswer(handled.refusal);
  const { state, position, known, repeated } = handled;
  if (state.status === 'none' || position === null) throw new Error('a placed order is not there');
  return { order: { state, position, known }, secret: repeated ? null : secret };
}

/** The answer where the stock of an order could not be held. */
function notHeldAnswer(failure: HoldFailure): Answer {
  if (failure.kind === 'busy') return conflictAnswer();
  if (failure.kind === 'gone')
    return goneAnswer([{ product_id: failure.line.productId, prod_name: failure.line.name }]);
  const gone = failure.short.map(({ isHeldByOthers: _, ...goods }) => goods);
  return refuse(409, shortText(failure.short), { code: 'sold_out', details: { gone } });
}

const goneAnswer = (gone: GoneGoods): Answer =>
  refuse(409, goneText(gone), { code: 'goods_gone', details: { gone } });

/** The answer to a refused order. A changed total is given in naira, so that the form can show it and ask again. */
function refusedAnswer(refusal: Refusal): Answer {
  const { failed } = refusalAnswer(refusal);
  if (!isAmountChanged(refusal)) return { failed };
  return { failed: { ...failed, details: { amount: koboToNaira(refusal.amount) } } };
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

/** The part of the provider's answer that the browser needs. */
const envelopeForm = z.looseObject({ data: z.looseObject({ authorization_url: z.string() }) });

/**
 * Places the order, then asks the provider for an address to pay at. A failure in between loses
 * neither: the client repeats the call.
 */
export function initializeTransaction(deps: Deps): Handler<'initializeTransaction'> {
  return async (request) => {
    const placed = await placeOrder(deps, request);
    if ('failed' in placed) return placed;
    const { order } = placed;
    const secret = placed.secret ?? (await openSecret(deps, order.state));
    if (secret === null) return noSuchOrderAnswer;
    const { transactionId } = order.state;
    // Also when there is no payment page: the stock that the order holds must stay free for this browser's next order.
    const cookies = [addToOrderCookie(request.cookie(CHECKOUT_COOKIE), transactionId, secret)];
    const page = await obtainPaymentPage(deps, order, request.body.email);
    if ('failed' in page) return { ...page, cookies };
    const data = envelopeForm.parse(page.envelope);
    const key = orderKey(transactionId, secret);
    return {
      status: 200,
      body: { success: true, data, transactionId: key },
      cookies,
      position: page.position,
    };
  };
}
