import { createHmac } from 'node:crypto';
import { noSuchOrder, type PlacedOrder, streamNames } from '@oja/domain';
import { DAY_MS, orderKeyParts } from '@oja/domain/rules';
import type { Cookie } from '@oja/http';
import { isSameSecret } from '@oja/platform';
import { refusalAnswer } from '../commands.js';
import type { Deps } from '../deps.js';
import { loadOrder, type Order } from './order.js';

// Buyers have no accounts. An order has a secret instead: its order key `<id>.<secret>` opens it, and the browser that
// placed it has a cookie that proves so.

/** The same answer for an order that does not exist, that was erased, and that the caller may not open. */
export const notYourOrder = refusalAnswer(noSuchOrder);

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
const REMEMBERED = 8;
const PROOF_LENGTH = 22;

/** Proves that the browser was given the order's secret, without being the secret. */
const proofOf = (secret: string): string =>
  createHmac('sha256', secret).update('checkout').digest('base64url').slice(0, PROOF_LENGTH);

const entriesOf = (value: string | undefined): readonly string[] =>
  (value ?? '').split('~').filter((entry) => /^[0-9a-f-]{36}\.[\w-]{22}$/.test(entry));

/** Adds an order to the cookie, newest first. */
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
