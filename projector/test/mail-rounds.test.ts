import type { Letter, Sealer, State } from '@oja/platform';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { createLetters, readLettersOfOrder } from '../src/index.js';
import { orderHappens, PAID } from './support/decided-orders.js';
import { deferred } from './support/deferred.js';
import { MemoryDocuments } from './support/documents.js';
import { MemoryJobs } from './support/jobs.js';
import { MemoryLog } from './support/log.js';
import { openStores, type Stores } from './support/mail.js';
import { quiet } from './support/shop.js';

const BUYERS = ['ada', 'bisi', 'chidi', 'dayo', 'efe', 'femi', 'gozi'];
/** Six days: all letters but the reminder of day 10 are due. */
const DAYS = 6 * 86_400_000;

let stores: Stores;
let sealer: Sealer;
let state: State;
let documents: MemoryDocuments;
let now: number;

beforeEach(async () => {
  stores = await openStores();
  ({ state, sealer } = stores);
  documents = new MemoryDocuments();
  now = Date.parse(PAID) + DAYS;
  const log = new MemoryLog();
  for (const [n, name] of BUYERS.entries()) {
    const id = `3f0c1b9e-0000-4000-8000-00000000000${n}`;
    await orderHappens({ sealer, log, documents }, id, `${name}@example.com`, 'paid');
  }
});

afterEach(() => stores.close());

/** The letter service of a projector; `send` stands in for the mail server. */
const lettersTo = (send: (letter: Letter, ending?: AbortSignal) => Promise<void>) =>
  createLetters({
    documents,
    sealer,
    keys: stores.keys,
    state,
    jobs: new MemoryJobs(),
    mail: { send, forget: async () => {}, close: async () => {} },
    clock: { now: () => now },
    logger: quiet,
    publicUrl: 'http://localhost:8080',
    supportEmail: 'help@oja.example',
  });

const leased = async () => (await state.get('leases', 'letters', now)) !== null;

it('stops after the letter that is being sent, and leaves the rest to the next process', async () => {
  const sent: string[] = [];
  const sending = deferred();
  const answered = deferred();
  const letters = lettersTo(async ({ to }) => {
    sending.resolve();
    await answered.promise;
    sent.push(to);
  });
  letters.start();
  await sending.promise;
  const stopped = letters.stop();
  answered.resolve();
  await stopped;
  expect(sent).toEqual(['ada@example.com']);

  const last = deferred();
  const next = lettersTo(async ({ to }) => {
    sent.push(to);
    if (sent.length === 2 * BUYERS.length) last.resolve();
  });
  next.start();
  await last.promise;
  await next.stop();
  expect(new Set(sent).size).toBe(BUYERS.length);
});

it('gives a letter up when it stops and the mail server is silent, for the next process to send at once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const sending = deferred();
  const letters = lettersTo(
    (_, ending) =>
      new Promise((_sent, failed) => {
        ending?.addEventListener('abort', () => failed(new Error('given up')));
        sending.resolve();
      }),
  );
  letters.start();
  await sending.promise;
  const stopped = letters.stop();
  vi.advanceTimersByTime(5_000);
  await stopped;
  vi.useRealTimers();

  const sent: string[] = [];
  const first = deferred();
  const next = lettersTo(async ({ to }) => {
    sent.push(to);
    first.resolve();
  });
  next.start();
  await first.promise;
  await next.stop();
  expect(sent[0]).toBe('ada@example.com');
});

it('keeps other processes from walking, however long a round takes', async () => {
  const seen: boolean[] = [];
  const last = deferred();
  const letters = lettersTo(async () => {
    seen.push(await leased());
    now += 90_000;
    if (seen.length === 2 * BUYERS.length) last.resolve();
  });
  letters.start();
  await last.promise;
  await letters.stop();
  expect(seen).toEqual(seen.map(() => true));
  expect(await leased()).toBe(false);
});

it('asks a mail server that is down a few times, and not for every kind of letter', async () => {
  const send = vi.fn(async () => {
    throw new Error('the mail server is away');
  });
  const letters = lettersTo(send);
  const put = vi.spyOn(state, 'put');
  letters.start();
  await expect.poll(() => send.mock.calls.length).toBe(5);
  await letters.stop();
  expect(send).toHaveBeenCalledTimes(5);
  expect(put.mock.calls.filter(([space]) => space === 'letters-walked')).toEqual([]);
});

it('tells of every letter about an order, however many copies of its receipt were asked for', async () => {
  const copies = Array.from({ length: 1_001 }, (_, n) => `receipt-again/order/${n}`);
  const settled = { outcome: 'sent', at: PAID };
  await Promise.all(copies.map((key) => state.put('letters', key, settled, now)));
  const news = { sellerIds: [], eventIds: [] };
  expect(await readLettersOfOrder(state, 'order', news, now)).toHaveLength(copies.length);
});
