import { createHmac } from 'node:crypto';
import {
  keySubject,
  noSuchOrder,
  type PlacedOrder,
  product,
  returnedGoods,
  type ShareState,
  streamNames,
  type TransactionCommand,
  type TransactionState,
  transaction,
} from '@oja/domain';
import { DAY_MS, orderKeyParts } from '@oja/domain/rules';
import type { Cookie } from '@oja/http';
import {
  addOrderToLogContext,
  type CommandContext,
  type CommandResult,
  isSameSecret,
  type Loaded,
  nowOf,
  type Position,
} from '@oja/platform';
import { derivedId, factCommandId, factContext, refusalAnswer } from '../commands.js';
import type { Deps } from '../deps.js';

/** The name of the buyer's key. */
export const buyerSubject = (transactionId: string): string =>
  keySubject('transaction', transactionId);

/** The id of the order that a command places; the same for every repetition of the command. */
export const transactionIdOf = (commandId: string): string => derivedId(commandId, 'transaction');

/** An order as read from its stream. */
export interface Order {
  readonly state: PlacedOrder;
  readonly position: Position;
  /** Lets the next command skip reading the stream again. */
  readonly known: Loaded<TransactionState>;
}

/** Loads an order; null when there is no such order. */
export async function loadOrder(
  { load, orderCache }: Pick<Deps, 'load' | 'orderCache'>,
  transactionId: string,
): Promise<Order | null> {
  const known = orderCache?.get(transactionId) ?? (await load(transaction, transactionId));
  orderCache?.set(transactionId, known);
  const { state, position } = known;
  return state.status === 'none' || position === null ? null : { state, position, known };
}

/** A seller's share of an order; null when there is none. */
export async function loadShare(
  deps: Deps,
  transactionId: string,
  sellerId: string,
): Promise<ShareState | null> {
  const order = await loadOrder(deps, transactionId);
  return order?.state.shares.find((share) => share.sellerId === sellerId) ?? null;
}

export type OrderResult = CommandResult<TransactionState>;

type OrderCommandDeps = Pick<Deps, 'handle' | 'orderCache' | 'clock' | 'logger'>;

/** After these events some goods return to stock. */
const returnsGoods: ReadonlySet<string> = new Set(['PaymentMismatched', 'RefundRequested']);

/**
 * Runs a command on an order, and returns stock where its events require that. `known`: the order
 * as just read.
 * @throws whatever `handle` throws.
 */
export async function runOrderCommand(
  deps: OrderCommandDeps,
  transactionId: string,
  what: TransactionCommand,
  context: CommandContext,
  known: Loaded<TransactionState> | undefined = deps.orderCache?.get(transactionId),
): Promise<OrderResult> {
  const { handle, orderCache } = deps;
  addOrderToLogContext(transactionId);
  const handled = await handle(transaction, transactionId, what, context, known);
  if (handled.ok) orderCache?.set(transactionId, handled.known);
  else orderCache?.delete(transactionId);
  if (handled.ok && handled.state.status === 'placed')
    if (handled.events.some(({ type }) => returnsGoods.has(type)))
      // The return is an obligation, so after a failure here the sweep does it.
      await returnStock(deps, handled.state).catch((error: unknown) =>
        deps.logger.warn(
          { err: error, order: transactionId },
          'products of an order could not be put back into stock yet: the sweep tries again',
        ),
      );
  return handled;
}

/** The reason that somebody gave for a decision about money; none where it is blank. */
export const nonBlank = (reason: string | undefined): string | undefined =>
  reason?.trim() === '' ? undefined : reason;

/**
 * Returns the stock of refunded payments; for `neverPaid` see `returnedGoods`. Repeating it changes nothing. The
 * command id includes the time, because a payment that succeeds again takes stock again and may be refunded again.
 */
export async function returnStock(
  deps: Pick<Deps, 'handle' | 'clock'>,
  order: PlacedOrder,
  neverPaid: string | null = null,
): Promise<void> {
  const { transactionId } = order;
  for (const { productId, providerId } of returnedGoods(order, neverPaid)) {
    const at = nowOf(deps);
    const fact = factCommandId('ReturnStock', transactionId, providerId, productId, at);
    const what = { type: 'ReturnStock', transactionId, providerId, at } as const;
    const handled = await deps.handle(product, productId, what, factContext(fact, 'sweep'));
    if (!handled.ok && handled.conflict) throw new Error(`others write to product ${productId}`);
  }
}

// Buyers have no accounts. An order has a secret instead: its order key `<id>.<secret>` opens it, and the browser that
// placed it has a cookie that proves so.

/** The same answer for an order that does not exist, that was erased, and that the caller may not open. */
export const noSuchOrderAnswer = refusalAnswer(noSuchOrder);

/** Unseals the secret of an order; null when its buyer was erased. */
export function openSecret(
  { sealer }: Deps,
  { transactionId, buyer }: PlacedOrder,
): Promise<string | null> {
  return sealer.open(streamNames.transaction(transactionId), 'secret', buyer.secret);
}

/** Loads the order that the key `<id>.<secret>` opens; null for any other key. */
export async function openOrder(deps: Deps, key: string): Promise<Order | null> {
  const { transactionId, secret: given } = orderKeyParts(key);
  const order = await loadOrder(deps, transactionId);
  if (order === null) return null;
  const secret = await openSecret(deps, order.state);
  return secret !== null && isSameSecret(given, secret) ? order : null;
}

/** Lists the orders that a browser has placed. Scripts cannot read it, and other sites cannot send it. */
export const CHECKOUT_COOKIE = 'checkout';
/** As long as a payment may take to arrive: three days. */
const MAX_AGE_SECONDS = (3 * DAY_MS) / 1000;
/** Only the newest orders are kept, so that the header does not grow with every purchase. */
const MAX_IN_COOKIE = 8;
const PROOF_LENGTH = 22;

/** Proves that the browser was given the order's secret, without being the secret. */
const proofOf = (secret: string): string =>
  createHmac('sha256', secret).update('checkout').digest('base64url').slice(0, PROOF_LENGTH);

const entriesOf = (value: string | undefined): readonly string[] =>
  (value ?? '').split('~').filter((entry) => /^[0-9a-f-]{36}\.[\w-]{22}$/.test(entry));

/** Adds an order to the cookie, newest first. */
export function addToOrderCookie(
  before: string | undefined,
  transactionId: string,
  secret: string,
): Cookie {
  const others = entriesOf(before).filter((entry) => !entry.startsWith(`${transactionId}.`));
  const entries = [`${transactionId}.${proofOf(secret)}`, ...others].slice(0, MAX_IN_COOKIE);
  return { name: CHECKOUT_COOKIE, value: entries.join('~'), maxAgeSeconds: MAX_AGE_SECONDS };
}

/** Whether the browser that sent this cookie placed the order. */
export function isInOrderCookie(
  value: string | undefined,
  transactionId: string,
  secret: string,
): boolean {
  const entry = entriesOf(value).find((own) => own.startsWith(`${transactionId}.`));
  return entry !== undefined && isSameSecret(entry, `${transactionId}.${proofOf(secret)}`);
}
