import { createHmac, timingSafeEqual } from 'node:crypto';

/** The `x-paystack-signature` of a body: HMAC-SHA512 under the secret key, as lower-case hex. */
export function signWebhook(rawBody: Buffer, secret: string): string {
  return createHmac('sha512', secret).update(rawBody).digest('hex');
}

/**
 * Whether a signature is the provider's. Both sides are compared as raw bytes in constant time; a
 * signature that is not 128 hex digits is turned away first, since its length tells nothing secret.
 */
export function isSignedBy(
  secret: string,
  rawBody: Buffer,
  signature: string | undefined,
): boolean {
  if (signature === undefined || !/^[0-9a-f]{128}$/.test(signature)) return false;
  const expected = createHmac('sha512', secret).update(rawBody).digest();
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'));
}
