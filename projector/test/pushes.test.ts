import { createECDH, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type NoticedEvent,
  type NotificationDocument,
  notifications,
  queues,
} from '@oja/contracts/models';
import {
  type InboxEvent,
  type SellerEvent,
  streamSubject,
  type TransactionEvent,
} from '@oja/domain';
import {
  correlated,
  createEmbeddedKeys,
  createReadModels,
  createSealer,
  type Job,
  type Keys,
  type Sealer,
} from '@oja/platform';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPushes, projections, push } from '../src/index.js';
import { type BrowserToPush, browserOf, createPushSender } from '../src/push/push-sender.js';
import { createWebPush } from '../src/push/web-push.js';
import { jobId } from '../src/reactions/reactions.js';
import { MemoryDocuments } from './support/documents.js';
import { follow } from './support/follow.js';
import { MemoryJobs } from './support/jobs.js';
import { MemoryLog, positionAt } from './support/log.js';
import { quiet, recorded } from './support/shop.js';

const PAID = '2026-03-01T08:00:00.000Z';
const MINUTE = 60_000;
const ORDER = 'order-1';
const KNOWN = 'https://fcm.googleapis.com/fcm/send/one';

interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: number;
}

let folder: string;
let keys: Keys;
let sealer: Sealer;
let log: MemoryLog;
let documents: MemoryDocuments;
let jobs: MemoryJobs;
let now: number;
/** What stands in for a push service: what it was asked, and how it answers. */
let service: Server;
let asked: Asked[];
let answer: { readonly status: number; readonly location?: string };

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'oja-pushes-'));
  keys = await createEmbeddedKeys({ file: join(folder, 'keys'), masterKey: Buffer.alloc(32, 7) });
  sealer = createSealer(keys);
  log = new MemoryLog();
  documents = new MemoryDocuments();
  jobs = new MemoryJobs();
  now = Date.parse(PAID) + MINUTE;
  asked = [];
  answer = { status: 201 };
  service = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const { url: path = '', headers } = request;
    asked.push({ path, headers, bytes: Buffer.concat(chunks).length });
    response.writeHead(answer.status, answer.location ? { Location: answer.location } : {}).end();
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
  await keys.close();
  rmSync(folder, { recursive: true });
});

function stubOrigin(): string {
  const address = service.address();
  if (address === null || typeof address === 'string') throw new Error('it does not listen');
  return `http://127.0.0.1:${address.port}`;
}

function vapid() {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  return {
    publicKey: pair.getPublicKey().toString('base64url'),
    privateKey: Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString(
      'base64url',
    ),
  };
}

/** As a browser makes one. */
function aSubscription(endpoint: string) {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  return {
    endpoint,
    expirationTime: null,
    keys: {
      p256dh: pair.getPublicKey().toString('base64url'),
      auth: randomBytes(16).toString('base64url'),
    },
  };
}

/** Sends to the stub what is meant for a push service. */
const send = createWebPush({
  keys: vapid(),
  contact: 'mailto:help@oja.example',
  request: (endpoint, init) => fetch(`${stubOrigin()}${new URL(String(endpoint)).pathname}`, init),
});

async function happened(
  stream: string,
  events: readonly (TransactionEvent | InboxEvent | SellerEvent)[],
) {
  const from = log.events.filter((event) => event.stream === stream).length;
  log.record(
    events.map((event, i) => {
      const raw = recorded(stream, from + i, event.type, event.data);
      return { ...raw, metadata: { ...raw.metadata, time: PAID } };
    }),
  );
  for (const projection of projections)
    if (projection.name === 'notifications')
      await follow(log, documents, projection, { batchSize: 9 });
}

async function subscribed(
  sellerId: string,
  subscriptionId: string,
  given: unknown = aSubscription(KNOWN),
) {
  const field = `subscription:${subscriptionId}`;
  const sealed = await sealer.seal(`seller:${sellerId}`, `inbox-${sellerId}`, {
    [field]: JSON.stringify(given),
  });
  const subscription = sealed[field];
  if (subscription === undefined) throw new Error('nothing was sealed');
  await happened(`inbox-${sellerId}`, [
    { type: 'PushSubscribed', data: { sellerId, subscriptionId, subscription } },
  ]);
}

const line = (sellerId: string, name: string) => ({
  productId: `p-${name}`,
  sellerId,
  businessName: sellerId,
  name,
  image: 'picture.webp',
  subcategoryId: 1,
  quantity: 1,
  unitPrice: 1_150_000,
  priceKind: 'upload' as const,
});

/** An order at Ada's and at Bola's is paid. */
async function paid() {
  const sealed = { sealed: 'x', subject: `transaction:${ORDER}` };
  const share = (sellerId: string) => ({
    sellerId,
    businessName: sellerId,
    price: 1_150_000,
    share: 1_000_000,
  });
  await happened(`transaction-${ORDER}`, [
    {
      type: 'OrderPlaced',
      data: {
        transactionId: ORDER,
        lines: [line('ada', 'Bag'), line('ada', 'Shoe'), line('bola', 'Cap')],
        shares: [share('ada'), share('bola')],
        deliveryFee: 0,
        amount: 3_450_000,
        currency: 'NGN',
        reference: ORDER,
        fullName: sealed,
        email: sealed,
        homeAddress: sealed,
        phoneNumber: sealed,
        secret: sealed,
        at: PAID,
      },
    },
    {
      type: 'PaymentVerified',
      data: {
        transactionId: ORDER,
        reference: ORDER,
        amount: 3_450_000,
        fees: 0,
        channel: 'card',
        providerId: '1',
        paidAt: PAID,
      },
    },
  ]);
}

function pushSender() {
  const readModels = createReadModels(documents);
  return createPushSender({ documents, readModels, sealer, jobs, clock: { now: () => now }, send });
}

/** What the event asks for, as the reactor and the queue do it. */
async function announced(
  what: NoticedEvent = 'PaymentVerified',
): Promise<readonly BrowserToPush[]> {
  const event = log.events.find(({ type }) => type === what);
  if (event === undefined) throw new Error(`there was no ${what}`);
  const [request] = push.react(event);
  if (request === undefined) throw new Error('nothing was asked for');
  expect(jobId(event, push, request)).toBe(`${event.id}-push-${streamSubject(event.stream)}`);
  const { position, id: eventId } = event;
  await pushSender().announce({ eventId, position });
  return [...jobs.added.values()]
    .filter(({ queue, data }) => queue === queues.pushes && data.eventId === eventId)
    .map(({ data }) => browserOf(data));
}

async function delivered() {
  const [to] = await announced();
  if (to === undefined) throw new Error('nobody is to be told');
  return pushSender().deliver(to);
}

describe('a paid order', () => {
  it('asks for one push a browser of each of its sellers, with ids alone', async () => {
    await subscribed('ada', 'phone');
    await subscribed('ada', 'laptop');
    await subscribed('bola', 'phone');
    await subscribed('chidi', 'phone');
    await paid();
    expect((await announced()).map((to) => `${to.sellerId} ${to.subscriptionId}`).sort()).toEqual([
      'ada laptop',
      'ada phone',
      'bola phone',
    ]);
    await announced();
    expect(jobs.added.size).toBe(3);
    expect(JSON.stringify([...jobs.added.values()])).not.toMatch(/fcm|Bag|p256dh/);
  });

  it('is told under the correlation id of the event, to the last of its jobs', async () => {
    await subscribed('ada', 'phone');
    await paid();
    answer = { status: 410 };
    const handlers = new Map<string, (job: Job) => Promise<void>>();
    const working = Object.assign(jobs, {
      work: (queue: string, handler: (job: Job) => Promise<void>) => {
        handlers.set(queue, handler);
        return { close: async () => {} };
      },
    });
    const clock = { now: () => now };
    createPushes({ documents, jobs: working, sealer, clock, logger: quiet, send }).start();
    const event = log.events.find(({ type }) => type === 'PaymentVerified');
    const [request] = event === undefined ? [] : push.react(event);
    if (event === undefined || request === undefined) throw new Error('nothing was asked for');
    const data = correlated(request.data, { ...event.metadata, correlationId: 'of-the-order' });
    const work = (queue: string, id: string, own: Job['data']) =>
      handlers.get(queue)?.({ id, queue, data: own, attempt: 1, addedAt: now });
    await work(queues.orderPushes, 'first', data);
    for (const [id, { queue, data: own }] of [...jobs.added]) await work(queue, id, own);
    const told = [...jobs.added.values()].map(({ queue, data: own }) => [queue, own.correlationId]);
    expect(told).toEqual([
      [queues.pushes, 'of-the-order'],
      [queues.forgetPush, 'of-the-order'],
    ]);
  });

  it('waits until the read model has passed it', async () => {
    await subscribed('ada', 'phone');
    const early = { eventId: 'e', position: positionAt(9) };
    await expect(pushSender().announce(early)).rejects.toThrow('not been projected');
    expect(jobs.added.size).toBe(0);
  });

  it('is told encrypted, signed, for no longer than it is news', async () => {
    await subscribed('ada', 'phone');
    await paid();
    expect(await delivered()).toBe('sent');
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      path: '/fcm/send/one',
      headers: { ttl: String(59 * 60), 'content-encoding': 'aes128gcm', urgency: 'high' },
    });
    expect(asked[0]?.headers.authorization).toMatch(/^vapid t=/);
    expect(asked[0]?.bytes).toBeGreaterThan(50);
  });

  it('is no news after an hour, nor once the seller has cleared it', async () => {
    await subscribed('ada', 'phone');
    await paid();
    const [to] = await announced();
    if (to === undefined) throw new Error('nobody is to be told');
    now = Date.parse(PAID) + 60 * MINUTE;
    expect(await pushSender().deliver(to)).toBe('late');
    now = Date.parse(PAID) + MINUTE;
    const upTo = positionAt(log.events.length);
    await happened('inbox-ada', [
      { type: 'NotificationsCleared', data: { sellerId: 'ada', upTo } },
    ]);
    expect(await pushSender().deliver(to)).toBe('read');
    expect(asked).toEqual([]);
  });

  it('reaches nobody who has left, or whose key is destroyed', async () => {
    await subscribed('ada', 'phone');
    await paid();
    const [to] = await announced();
    if (to === undefined) throw new Error('nobody is to be told');
    await keys.destroy('seller:ada');
    expect(await pushSender().deliver(to)).toBe('unsubscribed');
    await happened('inbox-ada', [
      { type: 'PushUnsubscribed', data: { sellerId: 'ada', subscriptionId: 'phone' } },
    ]);
    expect(await pushSender().deliver(to)).toBe('unsubscribed');
    expect(asked).toEqual([]);
  });
});

/** What the seller's notices of it say, newest first. */
async function unread(sellerId: string): Promise<readonly string[]> {
  const items = await createReadModels(documents).liveCollection(notifications, 'items');
  const found = await documents.find<NotificationDocument>(items, {
    filter: [{ field: 'sellerId', op: 'eq', value: sellerId }],
    sort: [{ field: 'position', order: 'desc' }],
  });
  return found.items.map(({ document }) => document.message);
}

const amount = 1_000_000;
const payout = { transactionId: ORDER, payoutId: 'payout-1', amount, at: PAID };

describe('word of money', () => {
  it('comes to the seller whose share moves, and of the bank to all of the order', async () => {
    await paid();
    await happened(`transaction-${ORDER}`, [
      { type: 'DeliveryConfirmed', data: { transactionId: ORDER, at: PAID } },
      {
        type: 'SellerShareReleased',
        data: { transactionId: ORDER, sellerId: 'ada', amount, at: PAID },
      },
      { type: 'PayoutCompleted', data: { ...payout, sellerId: 'ada' } },
      {
        type: 'PayoutFailed',
        data: { ...payout, sellerId: 'ada', reason: 'no such account', reversed: true },
      },
      {
        type: 'RefundRequested',
        data: {
          transactionId: ORDER,
          refundId: 'r',
          sellerId: 'bola',
          providerId: '1',
          amount,
          deliveryFee: 0,
          at: PAID,
        },
      },
      {
        type: 'PaymentDisputed',
        data: { transactionId: ORDER, reference: ORDER, disputeId: 'd', at: PAID },
      },
    ]);
    await happened('seller-bola', [
      { type: 'SellerSuspended', data: { sellerId: 'bola', by: 'admin' } },
      { type: 'SellerReinstated', data: { sellerId: 'bola', by: 'admin' } },
    ]);
    const bank = "The cardholder's bank disputes the payment";
    expect(await unread('ada')).toEqual([
      `${bank}: Bag, Shoe`,
      'The payout of ₦10,000 came back: Bag, Shoe',
      '₦10,000 paid out: Bag, Shoe',
      '₦10,000 released to you: Bag, Shoe',
      'New order for:Bag,Shoe',
    ]);
    expect(await unread('bola')).toEqual([
      'Your store is open again. Your goods are back in every list.',
      'Your store is suspended. Nobody sees your goods; paid orders go on.',
      `${bank}: Cap`,
      'The buyer gets the money for your goods back: Cap',
      'New order for:Cap',
    ]);
  });

  it('tells of a dispute that was settled, and of none where nobody had complained', async () => {
    await paid();
    const settled = { transactionId: ORDER, outcome: 'release', by: 'admin', at: PAID } as const;
    const complaint = { sealed: 'x', subject: `transaction:${ORDER}` };
    await happened(`transaction-${ORDER}`, [
      {
        type: 'DeliveryDisputed',
        data: { transactionId: ORDER, sellerIds: ['ada'], complaint, at: PAID },
      },
      { type: 'DisputeResolved', data: { ...settled, sellerId: 'ada' } },
      { type: 'DisputeResolved', data: { ...settled, sellerId: 'bola', unconfirmed: true } },
    ]);
    expect(await unread('ada')).toEqual([
      'Settled for you: Bag, Shoe',
      'The buyer reported a problem with your goods: Bag, Shoe',
      'New order for:Bag,Shoe',
    ]);
    expect(await unread('bola')).toEqual(['New order for:Cap']);
  });

  it('is pushed to that seller alone, once, and goes with the order when it is cleared', async () => {
    await subscribed('ada', 'phone');
    await subscribed('bola', 'phone');
    await paid();
    await happened(`transaction-${ORDER}`, [
      { type: 'PayoutCompleted', data: { ...payout, sellerId: 'ada' } },
    ]);
    const [to, ...others] = await announced('PayoutCompleted');
    if (to === undefined) throw new Error('nobody is to be told');
    expect(others).toEqual([]);
    expect(to).toMatchObject({ sellerId: 'ada' });
    expect(await announced('PayoutCompleted')).toEqual([to]);
    expect(await pushSender().deliver(to)).toBe('sent');
    const upTo = positionAt(log.events.length);
    await happened('inbox-ada', [
      { type: 'NotificationsCleared', data: { sellerId: 'ada', upTo } },
    ]);
    expect(await unread('ada')).toEqual([]);
    expect(await pushSender().deliver(to)).toBe('read');
  });
});

describe('a push service', () => {
  it.each([404, 410])(
    'that answers %i has its browser taken out, by command-service',
    async (status) => {
      await subscribed('ada', 'phone');
      await paid();
      answer = { status };
      expect(await delivered()).toBe('gone');
      const forgetting = [...jobs.added].filter(([, { queue }]) => queue === queues.forgetPush);
      expect(forgetting).toHaveLength(1);
      expect(forgetting[0]?.[0]).not.toContain(':');
      expect(forgetting[0]?.[1].data).toMatchObject({ sellerId: 'ada', subscriptionId: 'phone' });
    },
  );

  it.each([429, 500, 503])('that answers %i is asked again later', async (status) => {
    await subscribed('ada', 'phone');
    await paid();
    answer = { status };
    await expect(delivered()).rejects.toThrow(`answered ${status}`);
  });

  it('is not followed to another address', async () => {
    await subscribed('ada', 'phone');
    await paid();
    answer = { status: 307, location: `${stubOrigin()}/elsewhere` };
    expect(await delivered()).toBe('refused');
    expect(asked.map(({ path }) => path)).toEqual(['/fcm/send/one']);
  });

  it('is never one that is not known, nor asked with keys that are none', async () => {
    await subscribed('ada', 'phone', aSubscription('https://169.254.169.254/latest'));
    await paid();
    expect(await delivered()).toBe('refused');
    const broken = { ...aSubscription(KNOWN), keys: { p256dh: 'p', auth: 'a' } };
    await happened('inbox-ada', [
      { type: 'PushUnsubscribed', data: { sellerId: 'ada', subscriptionId: 'phone' } },
    ]);
    await subscribed('ada', 'phone', broken);
    expect(await delivered()).toBe('refused');
    expect(asked).toEqual([]);
  });
});
