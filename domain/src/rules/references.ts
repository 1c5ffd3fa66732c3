/** The payment reference of an order's nth attempt: `<id>`, then `<id>-2`, `<id>-3`, … */
export function paymentReference(transactionId: string, attempt: number): string {
  return attempt === 1 ? transactionId : `${transactionId}-${attempt}`;
}

const NUMBER_LENGTH = 8;

/** An order's id as people say it and write it on a parcel: the beginning tells orders of one seller apart. */
export function orderNumber(transactionId: string): string {
  return transactionId.slice(0, NUMBER_LENGTH).toUpperCase();
}

/** What opens an order to its buyer, in letters and in the browser that ordered: `<id>.<secret>`. */
export function orderKey(transactionId: string, secret: string): string {
  return `${transactionId}.${secret}`;
}

/** The halves of an order's key; of a bare id, no secret. */
export function orderKeyParts(key: string): { transactionId: string; secret: string } {
  const [transactionId = '', secret = ''] = key.split('.');
  return { transactionId, secret };
}

/** The order a reference leads to, without any read model; null for what cannot be one of ours. */
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
