import { createECDH, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type NoticeEvent, queues } from '@oja/contracts/models';
import { streamSubject } from '@oja/domain';
import {
  createReadModels,
  type Job,
  type Keys,
  type Sealer,
  withEventCorrelation,
} from '@oja/platform';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPushes, push } from '../src/index.js';
import { type BrowserToPush, createPushSender, parseBrowser } from '../src/push/push-sender.js';
import { createWebPush } from '../src/push/web-push.js';
import { jobId } from '../src/reactions/reactions.js';
import { MemoryJobs } from './support/jobs.js';
import { positionAt } from './support/log.js';
import { openStores, type Stores } from './support/mail.js';
import { createNoticedMarket, ORDER, PAID } from './support/notices.js';
import { quiet } from './support/shop.js';

const MINUTE = 60_000;
const KNOWN = 'https://fcm.googleapis.com/fcm/send/one';

interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: number;
}

let stores: Stores;
let keys: Keys;
let sealer: Sealer;
let market: ReturnType<typeof createNoticedMarket>;
let jobs: MemoryJobs;
let now: number;
/** A stub push service; `asked` holds its requests, and `answer` is its response. */
let service: Server;
let asked: Asked[];
let answer: { readonly status: number; readonly location?: string };

beforeEach(async () => {
  stores = await openStores();
  ({ keys, sealer } = stores);
  market = createNoticedMarket();
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
  await stores.close();
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

/** A push subscription as a browser creates it. */
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

/** Sends push messages to the stub instead of the real push service. */
const send = createWebPush({
  keys: vapid(),
  contact: 'mailto:help@oja.example',
  request: (endpoint, init) => fetch(`${stubOrigin()}${new URL(String(endpoint)).pathname}`, init),
});

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
  await market.happened(`inbox-${sellerId}`, [
    { type: 'PushSubscribed', data: { sellerId, subscriptionId, subscription } },
  ]);
}

function pushSender() {
  const { documents } = market;
  const readModels = createReadModels(documents);
  return createPushSender({ documents, readModels, sealer, jobs, clock: { now: () => now }, send });
}

/** Runs the push reaction to an event, as the reactor and the queue do. Returns the browsers to push to. */
async function announced(what: NoticeEvent = 'PaymentVerified'): Promise<readonly BrowserToPush[]> {
  const event = market.log.events.find(({ type }) => type === what);
  if (event === undefined) throw new Error(`there was no ${what}`);
  const [request] = push.react(event);
  if (request === undefined) throw new Error('nothing was asked for');
  expect(jobId(event, push, request)).toBe(`${event.id}-push-${streamSubject(event.stream)}`);
  const { position, id: eventId } = event;
  await pushSender().announce({ eventId, position });
  return [...jobs.added.values()]
    .filter(({ queue, data }) => queue === queues.pushes && data.eventId === eventId)
    .map(({ data }) => parseBrowser(data));
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
    await market.paid();
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
    await market.paid();
    answer = { status: 410 };
    const handlers = new Map<string, (job: Job) => Promise<void>>();
    const working = Object.assign(jobs, {
      work: (queue: string, handler: (job: Job) => Promise<void>) => {
        handlers.set(queue, handler);
        return { close: async () => {} };
      },
    });
    const clock = { now: () => now };
    createPushes({
      documents: market.documents,
      jobs: working,
      sealer,
      clock,
      logger: quiet,
      send,
    }).start();
    const event = market.log.events.find(({ type }) => type === 'PaymentVerified');
    const [request] = event === undefined ? [] : push.react(event);
    if (event === undefined || request === undefined) throw new Error('nothing was asked for');
    const data = withEventCorrelation(request.data, {
      ...event.metadata,
      correlationId: 'of-the-order',
    });
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
    await market.paid();
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
    await market.paid();
    const [to] = await announced();
    if (to === undefined) throw new Error('nobody is to be told');
    now = Date.parse(PAID) + 60 * MINUTE;
    expect(await pushSender().deliver(to)).toBe('late');
    now = Date.parse(PAID) + MINUTE;
    const upTo = positionAt(market.log.events.length);
    await market.happened('inbox-ada', [
      { type: 'NotificationsCleared', data: { sellerId: 'ada', upTo } },
    ]);
    expect(await pushSender().deliver(to)).toBe('read');
    expect(asked).toEqual([]);
  });

  it.each([
    [
      'that was unsubscribed since',
      () =>
        market.happened('inbox-ada', [
          { type: 'PushUnsubscribed', data: { sellerId: 'ada', subscriptionId: 'phone' } },
        ]),
    ],
    ['of a seller whose key is destroyed', () => keys.destroy('seller:ada')],
  ])('reaches no browser %s, and every other one', async (_, goes) => {
    await subscribed('ada', 'phone');
    await subscribed('bola', 'phone');
    await market.paid();
    const browsers = await announced();
    await goes();
    const outcomes = [];
    for (const to of browsers) outcomes.push([to.sellerId, await pushSender().deliver(to)]);
    expect(outcomes.sort()).toEqual([
      ['ada', 'unsubscribed'],
      ['bola', 'sent'],
    ]);
    expect(asked).toHaveLength(1);
  });
});

describe('word of money', () => {
  it('is pushed to that seller alone, once, and goes with the order when it is cleared', async () => {
    await subscribed('ada', 'phone');
    await subscribed('bola', 'phone');
    await market.paid();
    await market.happened(`transaction-${ORDER}`, [
      {
        type: 'PayoutCompleted',
        data: {
          transactionId: ORDER,
          payoutId: 'payout-1',
          sellerId: 'ada',
          amount: 1_000_000,
          at: PAID,
        },
      },
    ]);
    const [to, ...others] = await announced('PayoutCompleted');
    if (to === undefined) throw new Error('nobody is to be told');
    expect(others).toEqual([]);
    expect(to).toMatchObject({ sellerId: 'ada' });
    expect(await announced('PayoutCompleted')).toEqual([to]);
    expect(await pushSender().deliver(to)).toBe('sent');
    const upTo = positionAt(market.log.events.length);
    await market.happened('inbox-ada', [
      { type: 'NotificationsCleared', data: { sellerId: 'ada', upTo } },
    ]);
    expect(await market.unread('ada')).toEqual([]);
    expect(await pushSender().deliver(to)).toBe('read');
  });
});

describe('a push service', () => {
  it.each([404, 410])(
    'that answers %i has its browser taken out, by command-service',
    async (status) => {
      await subscribed('ada', 'phone');
      await market.paid();
      answer = { status };
      expect(await delivered()).toBe('gone');
      const forgetting = [...jobs.added].filter(([, { queue }]) => queue === queues.forgetPush);
      expect(forgetting).toHaveLength(1);
      expect(forgetting[0]?.[0]).not.toContain(':');
      expect(forgetting[0]?.[1].data).toMatchObject({ sellerId: 'ada', subscriptionId: 'phone' });
    },
  );

  it.each([406, 429, 500, 503])('that answers %i is asked again later', async (status) => {
    await subscribed('ada', 'phone');
    await market.paid();
    answer = { status };
    await expect(delivered()).rejects.toThrow(`answered ${status}`);
  });

  it('is not followed to another address', async () => {
    await subscribed('ada', 'phone');
    await market.paid();
    answer = { status: 307, location: `${stubOrigin()}/elsewhere` };
    expect(await delivered()).toBe('refused');
    expect(asked.map(({ path }) => path)).toEqual(['/fcm/send/one']);
  });

  it('is never one that is not known, nor asked with keys that are none', async () => {
    await subscribed('ada', 'phone', aSubscription('https://169.254.169.254/latest'));
    await market.paid();
    expect(await delivered()).toBe('refused');
    const broken = { ...aSubscription(KNOWN), keys: { p256dh: 'p', auth: 'a' } };
    await market.happened('inbox-ada', [
      { type: 'PushUnsubscribed', data: { sellerId: 'ada', subscriptionId: 'phone' } },
    ]);
    await subscribed('ada', 'phone', broken);
    expect(await delivered()).toBe('refused');
    expect(asked).toEqual([]);
  });
});
