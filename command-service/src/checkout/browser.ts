import { createHmac } from 'node:crypto';
import { DAY_MS } from '@oja/domain/rules';
import type { Cookie } from '@oja/http';
import { isSameSecret } from './same-text.js';

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
