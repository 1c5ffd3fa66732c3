import { z } from 'zod';

/** Paystack's ids outgrow 32 bits. Oja keeps them as text and never calculates with them. */
export const idText = z.union([z.int().nonnegative(), z.string().min(1)]).transform(String);

/** An amount in kobo. Some webhooks write it as text. */
export const kobo = z
  .union([z.int().nonnegative(), z.string().regex(/^\d{1,15}$/)])
  .transform(Number);

/** The envelope of every answer of Paystack. */
export const envelope = z.looseObject({
  status: z.boolean(),
  message: z.string().catch(''),
  code: z.string().optional().catch(undefined),
});

export const initialized = z
  .object({
    authorization_url: z.url({ protocol: /^https?$/ }),
    access_code: z.string().min(1),
    reference: z.string().min(1),
  })
  .transform(({ authorization_url: authorizationUrl, access_code: accessCode, reference }) => ({
    authorizationUrl,
    accessCode,
    reference,
  }));

/** A word for a status that is not listed: nothing is final, and the rest of the answer still counts. */
const otherStatus = z
  .string()
  .min(1)
  .transform(() => 'pending' as const);

const paymentStatus = z.enum([
  'success',
  'failed',
  'abandoned',
  'ongoing',
  'pending',
  'processing',
  'queued',
  'reversed',
]);

export const verified = z
  .object({
    id: idText,
    reference: z.string().min(1),
    /** While a refund is under way, Paystack has a word of its own here ('Reversal pending'). */
    status: paymentStatus.or(otherStatus),
    amount: z.int().nonnegative(),
    requested_amount: z.int().nonnegative().nullish(),
    currency: z.string().min(1),
    channel: z.string().nullish(),
    paid_at: z.string().nullish(),
    fees: z.int().nonnegative().nullish(),
  })
  .transform((payment) => ({
    id: payment.id,
    reference: payment.reference,
    status: payment.status,
    amount: payment.amount,
    requestedAmount: payment.requested_amount ?? null,
    currency: payment.currency,
    channel: payment.channel ?? null,
    paidAt: payment.paid_at ?? null,
    fees: payment.fees ?? null,
  }));

const refundStatus = z.enum(['pending', 'processing', 'processed', 'failed', 'needs-attention']);

/** The id of something that an answer names by its id alone or in full; null where it does not. */
const idOfNamed = z
  .union([idText, z.object({ id: idText }).transform(({ id }) => id)])
  .nullish()
  .catch(null)
  .transform((id) => id ?? null);

const refundFields = z.object({
  id: idText,
  amount: kobo,
  status: refundStatus.or(otherStatus),
  merchant_note: z.string().nullish(),
  transaction: idOfNamed,
  /** The dispute whose end made it. */
  dispute: idOfNamed,
});

const toRefund = ({
  id,
  amount,
  status,
  merchant_note: note = null,
  dispute: disputeId,
}: z.output<typeof refundFields>) => ({ id, amount, status, note, disputeId });

export const refund = refundFields.transform(toRefund);

/** The refunds of one transaction: whether a list holds no others is not left to the provider. */
export const refundsOf = (transactionId: string) =>
  z
    .array(refundFields)
    .transform((listed) =>
      listed
        .filter(({ transaction }) => transaction === null || transaction === transactionId)
        .map(toRefund),
    );

export const recipient = z
  .object({ recipient_code: z.string().min(1) })
  .transform(({ recipient_code: recipientCode }) => ({ recipientCode }));

export const verifiedTransfer = z.object({
  reference: z.string().min(1),
  amount: kobo,
  status: z.string().min(1),
});

export const transfer = z
  .object({ transfer_code: z.string().min(1), status: z.string().min(1) })
  .transform(({ transfer_code: transferCode, status }) => ({ transferCode, status }));
