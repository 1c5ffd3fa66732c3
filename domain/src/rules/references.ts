/** The payment reference of an order's nth attempt (from 1): `<id>`, then `<id>-2`, `<id>-3`, … */
export function paymentReference(transactionId: string, attempt: number): string {
  return attempt === 1 ? transactionId : `${transactionId}-${attempt}`;
}

const NUMBER_LENGTH = 8;

/**
 * The short order number that people say and write on a parcel: the first characters of the id,
 * enough to tell one seller's orders apart.
 */
export function orderNumber(transactionId: string): string {
  return transactionId.slice(0, NUMBER_LENGTH).toUpperCase();
}

/** The key that gives the buyer access to an order, in e-mails and in the browser: `<id>.<secret>`. */
export function orderKey(transactionId: string, secret: string): string {
  return `${transactionId}.${secret}`;
}

/** Splits an order key. For a bare id the secret is empty. */
export function orderKeyParts(key: string): { transactionId: string; secret: string } {
  const [transactionId = '', secret = ''] = key.split('.');
  return { transactionId, secret };
}

/** The order id in a payment reference, without a read model; null when the reference cannot be ours. */
export function transactionOfReference(reference: string): string | null {
  const match =
    /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:-[1-9]\d{0,3})?$/.exec(
      reference,
    );
  return match?.[1] ?? null;
}

/** Whether a reference names a payment attempt of this order. */
export function isReferenceOf(reference: string, transactionId: string): boolean {
  if (reference === transactionId) return true;
  const prefix = `${transactionId}-`;
  return reference.startsWith(prefix) && /^[1-9]\d{0,3}$/.test(reference.slice(prefix.length));
}
