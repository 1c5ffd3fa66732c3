import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import {
  keySubject,
  noSuchOrder,
  type PlacedOrder,
  streamNames,
  type TransactionState,
  transaction,
} from '@oja/domain';
import { DAY_MS, orderKeyParts } from '@oja/domain/rules';
import type { Cookie } from '@oja/http';
import type { Loaded, Position } from '@oja/platform';
import { derivedId, refusalAnswer } from '../commands.js';
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
