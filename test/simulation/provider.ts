import { signWebhook } from '@oja/platform';
import { createRandom, type Random } from '../chaos/random.js';
import type { Trouble } from './run.js';
import type { Scheduler } from './scheduler.js';

export const SECRET = 'sk_test_of_the_simulation';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A card payment as the provider knows it. Amounts in kobo, times in epoch milliseconds. */
export interface Charge {
  readonly id: number;
  readonly reference: string;
  readonly requested: number;
  readonly createdAt: number;
  amount: number;
  /** State of the money: whether the cardholder was charged, and whether all of it was returned. */
  status: 'abandoned' | 'ongoing' | 'failed' | 'success' | 'reversed';
  /** From this time on `verify` reports the status; before, it says 'pending'. */
  toldAt: number;
  paidAt: number;
  /** When the cardholder's bank took the payment back. */
  takenBackAt: number | null;
  /** When a dispute gave a part of the payment back. */
  givenInPartAt: number | null;
  disputes: number;
}

export interface Refund {
  readonly id: number;
  readonly charge: Charge;
  readonly amount: number;
  readonly note: string;
  /** The dispute that made it. */
  readonly dispute: number | null;
  status: 'pending' | 'processing' | 'needs-attention' | 'processed' | 'failed';
}

export interface Transfer {
  readonly code: string;
  readonly reference: string;
  readonly recipient: string;
  readonly amount: number;
  status:
    | 'pending'
    | 'otp'
    | 'received'
    | 'success'
    | 'failed'
    | 'reversed'
    | 'abandoned'
    | 'blocked'
    | 'rejected';
}

export interface Notice {
  readonly event: string;
  readonly reference: string;
  readonly body: Buffer;
  readonly signature: string;
}

export interface Reply {
  readonly status: number;
  readonly json: object;
}

export interface ProviderOptions {
  readonly seed: number;
  readonly scheduler: Scheduler;
  readonly troubles: ReadonlySet<Trouble>;
  /** Sends a notice to the market; losing or delaying it is up to the network. */
  notify(notice: Notice): void;
  /** Called on each movement of money as it happens. */
  moved(what: Transfer | Refund | Charge): void;
}

export type Provider = ReturnType<typeof createProvider>;

/** Paystack's fee for a local card: 1.5 % and ₦100 (no ₦100 under ₦2,500), at most ₦2,000. */
export const feesOf = (amount: number): number =>
  Math.min(Math.ceil((amount * 15) / 1000) + (amount < 250_000 ? 0 : 10_000), 200_000);

/** Whether the seller has the money of a transfer or may still get it. */
export const isUnderWay = ({ status }: Transfer): boolean =>
  status === 'pending' || status === 'otp' || status === 'received' || status === 'success';

const ok = (data: unknown, message = 'ok'): Reply => ({
  status: 200,
  json: { status: true, message, data },
});
const no = (status: number, code: string, message: string): Reply => ({
  status,
  json: { status: false, message, type: 'validation_error', code, meta: { nextStep: 'Look' } },
});

/**
 * The payment provider, as strict as its documentation: a reference is used once and never
 * replayed, statuses are final or not as documented, refunds and transfers can fail late, a charge
 * stays 'success' while it is disputed. What happens to a payment depends on the seed and the
 * payment alone.
 */
export function createProvider({ seed, scheduler, troubles, notify, moved }: ProviderOptions) {
  const charges = new Map<string, Charge>();
  const chargesById = new Map<string, Charge>();
  const refundsBy = new Map<Charge, Refund[]>();
  const transfers = new Map<string, Transfer>();
  const recipients = new Set<string>();
  const unknownPaths = new Set<string>();
  let ids = 3_000_000_000;
  let isKind = false;

  const newId = () => {
    ids += 1;
    return ids;
  };
  const now = () => scheduler.now();
  const iso = (at: number) => new Date(at).toISOString();
  /** Random values for one thing that can happen to one payment. */
  const chancesOf = (...of: readonly (string | number)[]): Random => {
    let hash = seed;
    for (const letter of of.join('/')) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
    return createRandom(hash);
  };
  const after = (ms: number, what: string, work: () => void) =>
    scheduler.at(now() + ms, what, work);

  function tell(event: string, reference: string, data: object): void {
    const body = Buffer.from(JSON.stringify({ event, data }));
    notify({ event, reference, body, signature: signWebhook(body, SECRET) });
  }

  const refundsOf = (charge: Charge): readonly Refund[] => refundsBy.get(charge) ?? [];
  /** Finds a charge by the provider's own id or by reference. */
  const chargeOf = (named: string): Charge | null =>
    chargesById.get(named) ?? charges.get(named) ?? null;
  const goneOf = (charge: Charge) =>
    refundsOf(charge)
      .filter(({ status }) => status !== 'failed')
      .reduce((sum, { amount }) => sum + amount, 0);

  function chargeBody(charge: Charge): object {
    const isPaid = charge.status === 'success' || charge.status === 'reversed';
    const isReturning = refundsOf(charge).some(
      ({ status }) => status !== 'processed' && status !== 'failed',
    );
    const shown = charge.status === 'success' && isReturning ? 'reversal_pending' : charge.status;
    const status = isPaid && now() < charge.toldAt ? 'pending' : shown;
    return {
      id: charge.id,
      status,
      reference: charge.reference,
      amount: charge.amount,
      requested_amount: charge.requested,
      currency: 'NGN',
      channel: isPaid ? 'card' : null,
      paid_at: isPaid ? iso(charge.paidAt) : null,
      created_at: iso(charge.createdAt),
      fees: isPaid ? feesOf(charge.amount) : null,
      metadata: 0,
      gateway_response: status,
    };
  }

  /** For half of the payments the provider replaces our note by its own. */
  const keepsNotes = ({ reference }: Charge) => chancesOf('notes', reference).chance(0.5);

  const refundBody = ({ id, charge, amount, status, note, dispute }: Refund) => ({
    id,
    transaction: charge.id,
    amount,
    currency: 'NGN',
    status,
    merchant_note: keepsNotes(charge) ? note : `Refund for transaction ${charge.reference}`,
    dispute,
  });

  const transferBody = ({ code, reference, amount, status }: Transfer) => ({
    transfer_code: code,
    reference,
    amount,
    status,
    currency: 'NGN',
  });

  function initialize(body: Record<string, unknown>): Reply {
    const reference = String(body.reference);
    if (!/^[A-Za-z0-9.=-]+$/.test(reference)) return no(400, 'invalid_params', 'Invalid reference');
    if (charges.has(reference))
      return no(400, 'duplicate_reference', 'Duplicate Transaction Reference');
    const requested = Number(body.amount);
    const charge: Charge = {
      id: newId(),
      reference,
      requested,
      createdAt: now(),
      amount: requested,
      status: 'abandoned',
      toldAt: 0,
      paidAt: 0,
      takenBackAt: null,
      givenInPartAt: null,
      disputes: 0,
    };
    charges.set(reference, charge);
    chargesById.set(String(charge.id), charge);
    return ok(
      {
        authorization_url: `https://checkout.paystack.sim/${reference}`,
        access_code: `ac_${reference}`,
        reference,
      },
      'Authorization URL created',
    );
  }

  function askRefund(body: Record<string, unknown>): Reply {
    const charge = chargeOf(String(body.transaction));
    if (charge === null) return no(404, 'transaction_not_found', 'Transaction not found');
    const amount = Number(body.amount ?? charge.amount);
    if (charge.status === 'reversed')
      return no(400, 'transaction_reversed', 'Transaction has been fully reversed');
    if (charge.status !== 'success')
      return no(400, 'invalid_params', 'Only successful transactions can be refunded');
    if (amount > charge.amount - goneOf(charge))
      return no(400, 'invalid_params', 'Refund amount cannot be more than the remaining amount');
    const note = String(body.merchant_note ?? '');
    const own = { note, dispute: null, status: 'pending' } as const;
    const refund: Refund = { id: newId(), charge, amount, ...own };
    refundsBy.set(charge, [...refundsOf(charge), refund]);
    moved(refund);
    const chances = chancesOf('refund', charge.reference, refundsOf(charge).length);
    const isEven = isKind || !troubles.has('odd refunds');
    const end = isEven ? 'processed' : chances.weighted({ processed: 80, failed: 14, stuck: 6 });
    const wait = chances.pick([0, 10, MINUTE, HOUR, 2 * DAY, 9 * DAY]);
    after(wait, 'refund goes on', () => {
      refund.status = end === 'stuck' ? 'needs-attention' : 'processing';
      after(end === 'stuck' ? chances.between(1, 12) * DAY : 0, 'refund ends', () =>
        endRefund(refund, end === 'failed' ? 'failed' : 'processed'),
      );
    });
    return ok(refundBody(refund), 'Refund has been queued for processing');
  }

  function endRefund(refund: Refund, status: 'processed' | 'failed'): void {
    const { charge } = refund;
    // What the bank has taken back meanwhile cannot be refunded as well.
    refund.status = charge.status === 'success' ? status : 'failed';
    moved(refund);
    const processed = refundsOf(charge).filter((each) => each.status === 'processed');
    if (processed.reduce((sum, { amount }) => sum + amount, 0) >= charge.amount)
      charge.status = 'reversed';
    tell(`refund.${refund.status}`, charge.reference, {
      id: refund.id,
      status: refund.status,
      transaction_reference: charge.reference,
      refund_reference: `RFD_${refund.id}`,
      amount: String(refund.amount),
      currency: 'NGN',
    });
  }

  function transfer(body: Record<string, unknown>): Reply {
    const reference = String(body.reference);
    if (!/^[a-z0-9_-]{16,50}$/.test(reference))
      return no(400, 'invalid_params', 'Invalid transfer reference');
    if (!recipients.has(String(body.recipient)))
      return no(404, 'recipient_not_found', 'Recipient specified is invalid');
    if (transfers.has(reference))
      return no(
        400,
        'duplicate_transfer_reference',
        'Please provide a unique reference. Reference already exists on a transfer',
      );
    const chances = chancesOf('transfer', reference);
    const end =
      isKind || !troubles.has('odd transfers')
        ? 'success'
        : chances.weighted({
            success: 72,
            failed: 7,
            reversed: 6,
            abandoned: 5,
            blocked: 4,
            rejected: 3,
            otp: 3,
          });
    const made: Transfer = {
      code: `TRF_${newId()}`,
      reference,
      recipient: String(body.recipient),
      amount: Number(body.amount),
      status: end === 'otp' || end === 'abandoned' ? 'otp' : chances.pick(['pending', 'received']),
    };
    transfers.set(reference, made);
    moved(made);
    const wait = chances.pick([0, 5, 200, MINUTE, 20 * MINUTE, 5 * HOUR, 3 * DAY]);
    after(wait, 'transfer ends', () => {
      if (end === 'reversed') {
        endTransfer(made, 'success');
        after(chances.between(1, 5) * DAY, 'transfer comes back', () =>
          endTransfer(made, 'reversed'),
        );
      } else endTransfer(made, end === 'otp' ? 'success' : end);
    });
    return ok(transferBody(made), 'Transfer has been queued');
  }

  function endTransfer(of: Transfer, status: Transfer['status']): void {
    of.status = status;
    moved(of);
    // The provider sends no notice of the other final statuses.
    if (status === 'success' || status === 'failed' || status === 'reversed')
      tell(`transfer.${status}`, of.reference, { ...transferBody(of), id: newId() });
  }

  function handle(method: string, path: string, body: Record<string, unknown>): Reply {
    const [where = '', query = ''] = path.split('?');
    const last = decodeURIComponent(where.split('/').at(-1) ?? '');
    if (method === 'POST' && where === '/transaction/initialize') return initialize(body);
    if (method === 'GET' && where.startsWith('/transaction/verify/')) {
      const charge = charges.get(last);
      return charge
        ? ok(chargeBody(charge), 'Verification successful')
        : no(404, 'transaction_not_found', 'Transaction reference not found');
    }
    if (method === 'POST' && where === '/refund') return askRefund(body);
    if (method === 'GET' && where === '/refund') {
      // By its own id alone.
      const charge = chargesById.get(new URLSearchParams(query).get('transaction') ?? '');
      const found = charge === undefined ? [] : refundsOf(charge);
      return ok(found.map(refundBody), 'Refunds retrieved');
    }
    if (method === 'POST' && where === '/transferrecipient') {
      const code = `RCP_${newId()}`;
      recipients.add(code);
      return ok({ recipient_code: code }, 'Transfer recipient created successfully');
    }
    if (method === 'POST' && where === '/transfer') return transfer(body);
    if (method === 'GET' && where.startsWith('/transfer/verify/')) {
      const found = transfers.get(last);
      return found
        ? ok(transferBody(found), 'Transfer retrieved')
        : no(404, 'transfer_not_found', 'Transfer not found');
    }
    unknownPaths.add(`${method} ${where}`);
    return no(404, 'route_not_found', 'Route not found');
  }

  function capture(charge: Charge, amount: number, toldAfter: number): void {
    charge.status = 'success';
    charge.amount = amount;
    charge.paidAt = now();
    charge.toldAt = now() + toldAfter;
    moved(charge);
    tell('charge.success', charge.reference, { ...chargeBody(charge), status: 'success' });
  }

  return {
    charges,
    refundsOf,
    transfers,
    unknownPaths,
    handle,
    /** From now on requests succeed, so that pending work can end. */
    beKind(): void {
      isKind = true;
    },
    /** A buyer on the payment page. Returns false if the page does not exist or was used. */
    pay(reference: string, how: 'pay' | 'decline' | 'late' | 'unclear' | 'short'): boolean {
      const charge = charges.get(reference);
      if (!charge || charge.status === 'success' || charge.status === 'reversed') return false;
      const chances = chancesOf('pay', reference);
      if (how === 'decline') charge.status = 'failed';
      else if (how === 'late') {
        charge.status = 'ongoing';
        after(chances.pick([MINUTE, HOUR, DAY, 5 * DAY]), 'late success', () => {
          if (charge.status === 'ongoing') capture(charge, charge.requested, 0);
        });
      } else {
        const amount = how === 'short' ? charge.requested - 5_000 : charge.requested;
        const unclear = () => chances.pick([MINUTE, 10 * MINUTE, 3 * HOUR, DAY]);
        capture(charge, amount, how === 'unclear' ? unclear() : 0);
      }
      return true;
    },
    /** The cardholder disputes at the bank. The charge keeps its status until the bank decides. */
    dispute(reference: string): void {
      const charge = charges.get(reference);
      if (charge?.status !== 'success') return;
      charge.disputes += 1;
      const chances = chancesOf('dispute', reference, charge.disputes);
      const id = newId();
      const body = (status: string, resolution: string | null, amount = charge.amount) => ({
        id,
        status,
        resolution,
        refund_amount: amount,
        transaction: chargeBody(charge),
      });
      tell('charge.dispute.create', reference, body('awaiting-merchant-feedback', null));
      const isLost = chances.chance(0.7);
      const part = isLost && chances.chance(0.4) ? chances.pick([0.1, 0.5, 0.9]) : 1;
      after(chances.pick([HOUR, DAY, 3 * DAY, 15 * DAY]), 'the bank decides', () => {
        const given = Math.floor(charge.amount * part);
        if (part < 1 && charge.status === 'success' && given < charge.amount - goneOf(charge)) {
          const note = `Dispute ${id}`;
          const refund: Refund = {
            id: newId(),
            charge,
            amount: given,
            note,
            dispute: id,
            status: 'processed',
          };
          refundsBy.set(charge, [...refundsOf(charge), refund]);
          charge.givenInPartAt = now();
          moved(refund);
          tell('charge.dispute.resolve', reference, body('resolved', 'merchant-accepted', given));
          return;
        }
        if (isLost && charge.status === 'success') {
          charge.status = 'reversed';
          charge.takenBackAt = now();
          moved(charge);
        }
        const ending = isLost ? 'merchant-accepted' : 'declined';
        tell('charge.dispute.resolve', reference, body('resolved', ending));
      });
    },
  };
}
