import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signWebhook } from '@oja/platform';
import { Caller, field, type Told } from './caller.js';

/** The payment sandbox: its operator's controls and its public pages. */
export interface Provider {
  /** Plans a fault; without a reference it hits whatever comes next. */
  plan(fault: string, details?: Readonly<Record<string, string | number>>): Promise<void>;
  /** Presses a button of the checkout page. */
  press(address: string, button: 'pay' | 'decline'): Promise<void>;
  /** Begins a payment beside Oja's own. Returns the checkout address; null: the reference is used. */
  begin(reference: string, kobo: number): Promise<string | null>;
  /** The bank takes a whole payment back, and the provider sends notice of a dispute. */
  chargeBack(reference: string, kobo: number): Promise<void>;
  raiseDispute(reference: string): Promise<void>;
  /** Sends a payment notice once more. */
  repeat(reference: string, kobo: number): Promise<void>;
  /** Sends a notice with a wrong signature. Returns the status. */
  forge(reference: string): Promise<number>;
}

/** Where a demo keeps the secrets it generated. */
const SECRETS_FILE = 'secrets.json';

export function secretOf(dataDir: string): string {
  const secret = field(
    JSON.parse(readFileSync(join(dataDir, SECRETS_FILE), 'utf8')),
    'paystackSecret',
  );
  if (typeof secret !== 'string') throw new Error('the demo has no secret of the sandbox');
  return secret;
}

export function createProvider(origin: string, secret: string): Provider {
  const caller = new Caller(origin);
  const headers = { authorization: `Bearer ${secret}` };
  const api = (method: 'GET' | 'POST', path: string, body?: object): Promise<Told> =>
    caller.persist({ method, path: `/sandbox${path}`, headers, ...(body && { body }) });

  const raiseDispute = async (reference: string) => {
    await api('POST', '/control', { raise: 'dispute', reference });
  };

  async function notify(reference: string, amount: number, key: string): Promise<number> {
    const data = { reference, status: 'success', amount };
    const body = JSON.stringify({ event: 'charge.success', data });
    const signed = { 'x-paystack-signature': signWebhook(Buffer.from(body), key) };
    const path = '/v1/paystack/webhook';
    return (await caller.persist({ method: 'POST', path, headers: signed, body })).status;
  }

  async function isGoingBack(reference: string): Promise<boolean> {
    const { body } = await api('GET', `/refund?transaction=${encodeURIComponent(reference)}`);
    const listed = field(body, 'data');
    return Array.isArray(listed) && listed.length > 0;
  }

  return {
    raiseDispute,
    async plan(fault, details = {}) {
      await api('POST', '/control', { fault, ...details });
    },
    async press(address, button) {
      const path = new URL(`${address}/${button}`).pathname;
      await caller.persist({ method: 'POST', path });
    },
    async begin(reference, amount) {
      const { body } = await api('POST', '/transaction/initialize', {
        email: 'somebody@example.com',
        amount,
        reference,
        callback_url: `${origin}/payment/verify`,
      });
      const address = field(body, 'data', 'authorization_url');
      return typeof address === 'string' ? address : null;
    },
    async chargeBack(reference, amount) {
      // A retry after a lost answer must not make a second refund.
      let status = 0;
      while (status !== 400 && !(await isGoingBack(reference)))
        ({ status } = await caller.once({
          method: 'POST',
          path: '/sandbox/refund',
          headers,
          body: { transaction: reference, amount },
        }));
      await raiseDispute(reference);
    },
    async repeat(reference, kobo) {
      await notify(reference, kobo, secret);
    },
    forge: (reference) => notify(reference, 100, `${secret}?`),
  };
}
