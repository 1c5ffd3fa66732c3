import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../../parse-json.js';
import { idText, kobo } from './answers.js';

/** The `x-paystack-signature` of a body: HMAC-SHA512 under the secret key, as lower-case hex. */
export function signWebhook(rawBody: Buffer, secret: string): string {
  return createHmac('sha512', secret).update(rawBody).digest('hex');
}

/**
 * Whether a signature is the provider's. Raw bytes are compared in constant time. A signature that is not
 * 128 hex digits is refused first, since its length reveals nothing secret.
 */
export function isSignedBy(
  secret: string,
  rawBody: Buffer,
  signature: string | undefined,
): boolean {
  if (signature === undefined || !/^[0-9a-f]{128}$/.test(signature)) return false;
  const expected = Buffer.from(signWebhook(rawBody, secret), 'hex');
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'));
}

interface NoticeKey {
  /**
   * The same for every repeat of a notice: event, reference and status (Paystack's webhooks have no id).
   * For refunds also the refund's id, because one payment may be refunded in parts; for disputes the dispute's id and how
   * it was resolved.
   */
  readonly key: string;
}

/** The content of a webhook. It is only a hint: amounts and statuses are read again with `verify`. Amounts in kobo. */
export type PaymentNotice = NoticeKey &
  (
    | { readonly type: 'charge.success'; readonly reference: string; readonly amount: number }
    | {
        readonly type: 'refund.processed' | 'refund.failed';
        /** The reference of the payment. */
        readonly reference: string;
        readonly refundId: string | null;
        readonly amount: number;
      }
    | {
        readonly type: 'transfer.success' | 'transfer.failed' | 'transfer.reversed';
        /** Our own reference of the transfer. */
        readonly reference: string;
        readonly transferCode: string;
        readonly amount: number;
      }
    | {
        readonly type: 'charge.dispute.create' | 'charge.dispute.remind' | 'charge.dispute.resolve';
        readonly reference: string;
        readonly disputeId: string;
        /** How it was resolved; 'declined' means that the merchant won. */
        readonly resolution: string | null;
        /** What the cardholder gets, or would get, in kobo; null where it is not told. */
        readonly refunded: number | null;
      }
    | { readonly type: 'other'; readonly event: string }
    /** Signed, but in an unknown form: keep it for a person to look at. */
    | { readonly type: 'unreadable'; readonly event: string | null }
  );

const webhook = z.object({ event: z.string().min(1), data: z.unknown() });
const charge = z.object({ reference: z.string().min(1), status: z.string(), amount: kobo });
const refunded = z.object({
  transaction_reference: z.string().min(1),
  refund_reference: z.string().nullish(),
  id: idText.nullish(),
  status: z.string(),
  amount: kobo,
});
const transferred = z.object({
  reference: z.string().min(1),
  transfer_code: z.string().min(1),
  status: z.string(),
  amount: kobo,
});
const disputed = z.object({
  id: idText,
  status: z.string().nullish(),
  resolution: z.string().nullish(),
  refund_amount: kobo.nullish().catch(null),
  transaction: z.object({ reference: z.string().min(1) }),
});

/** Parses a webhook's raw body. Check the signature first. Never throws. */
export function readWebhook(rawBody: Buffer): PaymentNotice {
  const parsed = webhook.safeParse(parseJson(rawBody.toString('utf8')));
  if (!parsed.success) return { type: 'unreadable', event: null, key: bodyKey('?', rawBody) };
  const { event, data } = parsed.data;
  return readKnown(event, data) ?? { type: 'unreadable', event, key: bodyKey(event, rawBody) };

  function readKnown(type: string, about: unknown): PaymentNotice | null {
    switch (type) {
      case 'charge.success': {
        const known = charge.safeParse(about).data;
        if (known === undefined) return null;
        const { reference, status, amount } = known;
        return { type, reference, amount, key: `${type}:${reference}:${status}` };
      }
      case 'refund.processed':
      case 'refund.failed': {
        const known = refunded.safeParse(about).data;
        if (known === undefined) return null;
        const { transaction_reference: reference, status, amount } = known;
        const refundId = known.id ?? null;
        const which = refundId ?? known.refund_reference ?? amount;
        return {
          type,
          reference,
          refundId,
          amount,
          key: `${type}:${reference}:${status}:${which}`,
        };
      }
      case 'transfer.success':
      case 'transfer.failed':
      case 'transfer.reversed': {
        const known = transferred.safeParse(about).data;
        if (known === undefined) return null;
        const { reference, transfer_code: transferCode, status, amount } = known;
        return { type, reference, transferCode, amount, key: `${type}:${reference}:${status}` };
      }
      case 'charge.dispute.create':
      case 'charge.dispute.remind':
      case 'charge.dispute.resolve': {
        const known = disputed.safeParse(about).data;
        if (known === undefined) return null;
        const { reference } = known.transaction;
        const { id: disputeId, resolution = null, refund_amount: refunded = null } = known;
        // What was lost may be won after all, by a second look of the bank: that is news.
        const key = [type, reference, disputeId, ...(resolution === null ? [] : [resolution])];
        return { type, reference, disputeId, resolution, refunded, key: key.join(':') };
      }
      default:
        return { type: 'other', event: type, key: bodyKey(type, rawBody) };
    }
  }
}

function bodyKey(event: string, rawBody: Buffer): string {
  return `${event}:${createHash('sha256').update(rawBody).digest('hex')}`;
}
