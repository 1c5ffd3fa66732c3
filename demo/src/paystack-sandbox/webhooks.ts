import { HOUR_MS, MINUTE_MS } from '@oja/domain';
import { type Clock, eachEntry, type State, signWebhook } from '@oja/platform';
import { v7 as uuidv7 } from 'uuid';
import { refundNotice, transactionBody, transferBody } from './bodies.js';
import type { Notice, SandboxContext } from './context.js';
import type { Faults } from './faults.js';
import {
  type RefundRecord,
  returnsAt,
  SPACE,
  type TransactionRecord,
  type TransferRecord,
} from './store.js';

export function noticeOfPayment(paid: TransactionRecord): Notice {
  const { reference, settlesAt: at } = paid;
  // As it was first told, also when it is sent again after a refund.
  const data = transactionBody({ ...paid, refunds: [] }, at);
  return { event: 'charge.success', data, reference, at };
}

export function noticeOfRefund(transaction: TransactionRecord, refund: RefundRecord): Notice {
  const { outcome, settlesAt: at } = refund;
  const { reference } = transaction;
  return { event: `refund.${outcome}`, data: refundNotice(transaction, refund), reference, at };
}

/** The webhooks of a transfer. There is none for a transfer that waits for approval or ended without it. */
export function noticesOfTransfer(transfer: TransferRecord): readonly Notice[] {
  const { settlesAt, outcome, reference } = transfer;
  const notice = (event: 'success' | 'failed' | 'reversed', at: number): Notice => ({
    event: `transfer.${event}`,
    data: transferBody(transfer, at),
    reference,
    at,
  });
  switch (outcome) {
    case 'success':
    case 'failed':
      return [notice(outcome, settlesAt)];
    case 'reversed':
      return [notice('success', settlesAt), notice('reversed', returnsAt(transfer))];
    default:
      return [];
  }
}

const noticesOfPayment = (transaction: TransactionRecord): readonly Notice[] => [
  ...(transaction.outcome === 'success' ? [noticeOfPayment(transaction)] : []),
  ...transaction.refunds.map((refund) => noticeOfRefund(transaction, refund)),
];

/**
 * Sends again, oldest first, every webhook of a payment or transfer that was due by now, and returns
 * their events. Null when neither has this reference. What a cardholder's bank did is not sent again.
 */
export async function resendWebhooks(
  { store, clock, notify }: SandboxContext,
  reference: string,
): Promise<readonly string[] | null> {
  const payment = await store.transaction(reference);
  const transfer = await store.transfer(reference);
  if (payment === null && transfer === null) return null;
  const now = clock.now();
  const due = [
    ...(payment === null ? [] : noticesOfPayment(payment)),
    ...(transfer === null ? [] : noticesOfTransfer(transfer)),
  ]
    .filter(({ at }) => at <= now)
    .sort((one, other) => one.at - other.at);
  for (const notice of due) await notify({ ...notice, at: now });
  return due.map(({ event }) => event);
}

/** Delay between the first attempts, in milliseconds. */
const RETRY_MS = 3 * MINUTE_MS;
const QUICK_RETRIES = 4;
const SLOW_RETRY_MS = HOUR_MS;
const GIVE_UP_MS = 72 * HOUR_MS;

/**
 * When a webhook that was not answered with 200 is sent again, in epoch milliseconds; null means never. As Paystack
 * does: four retries after three minutes each, then hourly until 72 hours have passed. `attempt` counts from 1.
 */
function retryAfter(attempt: number, firstAt: number, now: number): number | null {
  const next = now + (attempt <= QUICK_RETRIES ? RETRY_MS : SLOW_RETRY_MS);
  return next - firstAt > GIVE_UP_MS ? null : next;
}

/** Delivers one webhook; resolves to whether it was answered 200. A missing answer counts as false. */
export type SendWebhook = (webhook: {
  readonly body: Buffer;
  readonly signature: string;
}) => Promise<boolean>;

/** Posts webhooks to an address as Paystack does. `timeoutMs` in milliseconds. */
export function webhookSender(url: string, timeoutMs = 10_000): SendWebhook {
  return async ({ body, signature }) => {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-paystack-signature': signature },
        body: new Uint8Array(body),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      await response.body?.cancel();
      return response.status === 200;
    } catch {
      return false;
    }
  };
}

type Entry = {
  readonly body: string;
  /** Time of the first attempt, in epoch milliseconds. */
  readonly firstAt: number;
  readonly attempt: number;
};

interface Outbox {
  /** Keeps a webhook until it has been delivered. Faults are looked up by its reference. */
  add(notice: Notice): Promise<void>;
  /** Sends every due webhook in order, one at a time, while `goesOn`. Returns the number of attempts. */
  deliverDue(goesOn?: () => boolean): Promise<number>;
  /** When the next attempt is due, in epoch milliseconds, or null. */
  nextDue(): Promise<number | null>;
}

const PREFIX = 'due:';
/** Marks a webhook that waits for the next one to overtake it; if none comes, it is sent when due. */
const HELD = 'held:';
const DUE_DIGITS = 15;
const newKey = (dueAt: number): string =>
  `${PREFIX}${String(dueAt).padStart(DUE_DIGITS, '0')}:${uuidv7()}`;
const dueOf = (key: string): number => Number(key.slice(PREFIX.length, PREFIX.length + DUE_DIGITS));

/** Webhooks still to be sent, kept in `State`; their keys sort by due time, then by age. */
export function createOutbox(options: {
  readonly state: State;
  readonly faults: Faults;
  readonly secret: string;
  readonly clock: Clock;
  readonly send: SendWebhook;
}): Outbox {
  const { state, faults, secret, clock, send } = options;
  let running: Promise<unknown> = Promise.resolve();

  const first = async () => (await state.list<Entry>(SPACE, PREFIX, clock.now(), { limit: 1 }))[0];

  /** Makes the held webhooks due at `dueAt`, right behind the one that overtook them. */
  async function releaseHeld(dueAt: number): Promise<void> {
    for await (const marker of eachEntry(state, SPACE, HELD, clock.now())) {
      const key = marker.key.slice(HELD.length);
      const entry = await state.get<Entry>(SPACE, key, clock.now());
      if (entry !== null) {
        const released = newKey(dueAt);
        await state.put(SPACE, released, entry.value, clock.now());
        const isOurs = await state.delete(SPACE, key, entry.version);
        if (!isOurs) await state.delete(SPACE, released);
      }
      await state.delete(SPACE, marker.key);
    }
  }

  async function attempt(key: string, entry: Entry, version: number): Promise<void> {
    const again = retryAfter(entry.attempt, entry.firstAt, clock.now());
    const retryKey = newKey(again ?? clock.now());
    // Store the next attempt before making this one: a crash repeats a webhook but never loses it.
    if (again !== null) {
      await state.put(SPACE, retryKey, { ...entry, attempt: entry.attempt + 1 }, clock.now());
    }
    const isOurs = await state.delete(SPACE, key, version);
    const body = Buffer.from(entry.body);
    const isDone = !isOurs || (await send({ body, signature: signWebhook(body, secret) }));
    if (isDone) await state.delete(SPACE, retryKey);
  }

  async function deliverAll(goesOn: () => boolean): Promise<number> {
    for (let sent = 0; ; sent++) {
      const next = await first();
      if (next === undefined || dueOf(next.key) > clock.now() || !goesOn()) return sent;
      await attempt(next.key, next.value, next.version);
    }
  }

  return {
    async add({ event, data, reference, at }) {
      if ((await faults.take('drop-webhook', reference)) !== null) return;
      const delay = (await faults.take('delay-webhook', reference))?.delayMs ?? 0;
      const held = (await faults.take('reorder-webhook', reference)) !== null;
      const copies = (await faults.take('duplicate-webhook', reference))?.copies ?? 1;
      const due = at + delay + (held ? RETRY_MS : 0);
      const entry: Entry = { body: JSON.stringify({ event, data }), firstAt: due, attempt: 1 };
      for (let copy = 0; copy < copies; copy++) {
        const key = newKey(due);
        await state.put(SPACE, key, entry, clock.now());
        if (held) await state.put(SPACE, `${HELD}${key}`, {}, clock.now());
      }
      if (!held) await releaseHeld(due);
    },

    deliverDue(goesOn = () => true) {
      const delivered = running.then(() => deliverAll(goesOn));
      running = delivered.catch(() => undefined);
      return delivered;
    },

    async nextDue() {
      const next = await first();
      return next === undefined ? null : dueOf(next.key);
    },
  };
}
