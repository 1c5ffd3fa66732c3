import type { PaymentAnswer, Payments } from '../port.js';
import * as answers from './answers.js';
import { type Answered, callPaystack, type PaystackOptions } from './call.js';
import { isSignedBy } from './webhook.js';

/** The `Payments` port over Paystack's HTTP API, or over the sandbox that answers the same calls. */
export function createPaystack(options: PaystackOptions): Payments {
  return {
    async initialize(payment) {
      const answer = await callPaystack(
        options,
        'POST',
        '/transaction/initialize',
        answers.initialized,
        {
          email: payment.email,
          amount: payment.amount,
          currency: payment.currency,
          reference: payment.reference,
          callback_url: payment.callbackUrl,
          metadata: payment.metadata,
        },
      );
      return mapped(answer, ({ data, envelope }) => ({
        authorizationUrl: data.authorization_url,
        accessCode: data.access_code,
        reference: data.reference,
        envelope,
      }));
    },

    async verify(reference) {
      const path = `/transaction/verify/${encodeURIComponent(reference)}`;
      const answer = await callPaystack(options, 'GET', path, answers.verified);
      return mapped(answer, ({ data }) => ({
        id: data.id,
        reference: data.reference,
        status: data.status,
        amount: data.amount,
        requestedAmount: data.requested_amount ?? null,
        currency: data.currency,
        channel: data.channel ?? null,
        paidAt: data.paid_at ?? null,
        fees: data.fees ?? null,
      }));
    },

    async refunds(transactionId) {
      const path = `/refund?transaction=${encodeURIComponent(transactionId)}&perPage=100`;
      return mapped(await callPaystack(options, 'GET', path, answers.refunds), ({ data }) => data);
    },

    async refund({ transaction, amount, note }) {
      const body = { transaction, amount, merchant_note: note };
      const answer = await callPaystack(options, 'POST', '/refund', answers.refund, body);
      return mapped(answer, ({ data }) => data);
    },

    async createRecipient({ name, accountNumber, bankCode }) {
      const body = {
        type: 'nuban',
        name,
        account_number: accountNumber,
        bank_code: bankCode,
        currency: 'NGN',
      };
      const answer = await callPaystack(
        options,
        'POST',
        '/transferrecipient',
        answers.recipient,
        body,
      );
      return mapped(answer, ({ data }) => ({ recipientCode: data.recipient_code }));
    },

    async transfer({ amount, recipientCode, reference, reason }) {
      const body = { source: 'balance', amount, recipient: recipientCode, reference, reason };
      const answer = await callPaystack(options, 'POST', '/transfer', answers.transfer, body);
      return mapped(answer, ({ data }) => ({
        transferCode: data.transfer_code,
        status: data.status,
      }));
    },

    async verifyTransfer(reference) {
      const path = `/transfer/verify/${encodeURIComponent(reference)}`;
      const answer = await callPaystack(options, 'GET', path, answers.verifiedTransfer);
      return mapped(answer, ({ data }) => data);
    },

    isSignedByProvider: (rawBody, signature) => isSignedBy(options.secret, rawBody, signature),
  };
}

function mapped<T, U>(
  answer: PaymentAnswer<Answered<T>>,
  map: (answered: Answered<T>) => U,
): PaymentAnswer<U> {
  return answer.ok ? { ok: true, value: map(answer.value) } : answer;
}
