import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import {
  keySubject,
  noSuchOrder,
  type PlacedOrder,
  product,
  returnedGoods,
  streamNames,
  type TransactionCommand,
  type TransactionState,
  transaction,
} from '@oja/domain';
import { DAY_MS, orderKeyParts } from '@oja/domain/rules';
import type { Cookie } from '@oja/http';
import {
  type CommandContext,
  concernsOrder,
  currentCorrelation,
  type Handled,
  type Loaded,
  type Position,
} from '@oja/platform';
import { v5 as uuidv5 } from 'uuid';
import { contextOf, derivedId, refusalAnswer } from '../commands.js';
import type { Deps } from '../deps.js';

/** The key of an order's buyer. */
export const buyerSubject = (transactionId: string): string =>
  keySubject('transaction', transactionId);

/** The stream that an order's sealed values are bound to. */
export const orderStream = (transactionId: string): string =>
  streamNames.transaction(transactionId);

/** The order that a command places: the same for each repetition of it. */
export const transactionIdOf = (commandId: string): string => derivedId(commandId, 'transaction');

/** An order as its stream tells it, and where the stream ends. */
export interface Order {
  readonly state: PlacedOrder;
  readonly position: Position;
  /** For the command that follows: it need not read the stream again. */
  readonly known: Loaded<TransactionState>;
}

/** Null when there is no such order. */
export async function loadOrder(
  { load, readOrders }: Pick<Deps, 'load' | 'readOrders'>,
  transactionId: string,
): Promise<Order | null> {
  const known = readOrders?.get(transactionId) ?? (await load(transaction, transactionId));
  readOrders?.set(transactionId, known);
  const { state, position } = known;
  return state.status === 'none' || position === null ? null : { state, position, known };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether two secrets are the same; how long it takes tells nothing of either. */
const isSameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(digest(one), digest(other));

/** One answer for an order that is not there, one that was forgotten, and one that is not yours. */
export const notYours = refusalAnswer(noSuchOrder);

/** The secret of an order; null once its buyer was forgotten. */
export function openSecret(
  { sealer }: Deps,
  { transactionId, buyer }: PlacedOrder,
): Promise<string | null> {
  return sealer.open(orderStream(transactionId), 'secret', buyer.secret);
}

/** The order that `<id>.<secret>` opens; null for any other text. */
export async function openOrder(deps: Deps, key: string): Promise<Order | null> {
  const { transactionId, secret: given } = orderKeyParts(key);
  const order = await loadOrder(deps, transactionId);
  if (order === null) return null;
  const secret = await openSecret(deps, order.state);
  return secret !== null && isSameSecret(given, secret) ? order : null;
}

/** Names the orders that a browser has placed. Scripts cannot read it, other sites cannot send it. */
export const CHECKOUT_COOKIE = 'checkout';
/** As long as a payment may still be on its way. */
const MAX_AGE_SECONDS = (3 * DAY_MS) / 1000;
/** The newest orders; a request's headers must not grow with every purchase. */
const REMEMBERED = 8;
const PROOF_LENGTH = 22;

/** Shows that the browser was given the order's secret; it is not the secret. */
const proofOf = (secret: string): string =>
  createHmac('sha256', secret).update('checkout').digest('base64url').slice(0, PROOF_LENGTH);

const entriesOf = (value: string | undefined): readonly string[] =>
  (value ?? '').split('~').filter((entry) => /^[0-9a-f-]{36}\.[\w-]{22}$/.test(entry));

/** The cookie with one more order, the newest first. */
export function rememberOrder(
  before: string | undefined,
  transactionId: string,
  secret: string,
): Cookie {
  const others = entriesOf(before).filter((entry) => !entry.startsWith(`${transactionId}.`));
  const entries = [`${transactionId}.${proofOf(secret)}`, ...others].slice(0, REMEMBERED);
  return { name: CHECKOUT_COOKIE, value: entries.join('~'), maxAgeSeconds: MAX_AGE_SECONDS };
}

/** Whether the browser that sent this cookie placed the order. */
export function hasPlaced(
  value: string | undefined,
  transactionId: string,
  secret: string,
): boolean {
  const entry = entriesOf(value).find((own) => own.startsWith(`${transactionId}.`));
  return entry !== undefined && isSameSecret(entry, `${transactionId}.${proofOf(secret)}`);
}

/** Who places, pays and confirms orders, in metadata: buyers have no accounts. */
export const BUYER = 'buyer';

/** The namespace of commands that follow from facts: made once at random, never to be changed. */
const NAMESPACE = '0b8f4c1e-5d0a-4f0e-9a86-3d1c7e52b9f4';

/** The id of a command that no request carries: the same facts ask for it once, whoever notices them. */
export const factId = (...facts: readonly (string | number)[]): string =>
  uuidv5(JSON.stringify(facts), NAMESPACE);

/** Of a command that follows from facts; it belongs to the request or job that noticed them. */
export const following = (commandId: string, actor: string): CommandContext =>
  contextOf({ commandId, correlationId: currentCorrelation() ?? commandId }, actor);

/** The same to an order: whatever is noticed of it later belongs to the story of the request that placed it. */
export const followingOrder = (commandId: string, actor: string): CommandContext => ({
  ...following(commandId, actor),
  joinsStream: true,
});

export type OrderHandled = Handled<TransactionState>;

type Commanding = Pick<Deps, 'handle' | 'readOrders' | 'clock' | 'logger'>;

/** After these some of the goods are for sale again. */
const returning: ReadonlySet<string> = new Set(['PaymentMismatched', 'RefundRequested']);

/**
 * A command to an order, and what follows from it for the goods that are counted; `known`: as it was just read.
 * @throws what `handle` throws.
 */
export async function command(
  deps: Commanding,
  transactionId: string,
  what: TransactionCommand,
  context: CommandContext,
  known: Loaded<TransactionState> | undefined = deps.readOrders?.get(transactionId),
): Promise<OrderHandled> {
  const { handle, readOrders } = deps;
  concernsOrder(transactionId);
  const handled = await handle(transaction, transactionId, what, context, known);
  if (handled.ok) readOrders?.set(transactionId, handled.known);
  else readOrders?.delete(transactionId);
  if (handled.ok && handled.state.status === 'placed')
    if (handled.events.some(({ type }) => returning.has(type)))
      // It is owed, so a failure here is made good by the sweep.
      await returnGoods(deps, handled.state).catch((error: unknown) =>
        deps.logger.warn({ err: error, order: transactionId }, 'goods are still to be put back'),
      );
  return handled;
}

/**
 * Puts back into the count what payments had taken that go back. Done again it changes nothing; a payment that comes
 * to the market again takes again, and may go back again, so each time is a fact of its own.
 */
export async function returnGoods(
  deps: Pick<Deps, 'handle' | 'clock'>,
  order: PlacedOrder,
  neverPaid: string | null = null,
): Promise<void> {
  const { transactionId } = order;
  for (const { productId, providerId } of returnedGoods(order, neverPaid)) {
    const at = nowOf(deps);
    const fact = factId('ReturnStock', transactionId, providerId, productId, at);
    const what = { type: 'ReturnStock', transactionId, providerId, at } as const;
    const handled = await deps.handle(product, productId, what, following(fact, 'sweep'));
    if (!handled.ok && handled.conflict) throw new Error(`others write to product ${productId}`);
  }
}

export const nowOf = ({ clock }: Pick<Deps, 'clock'>): string =>
  new Date(clock.now()).toISOString();
