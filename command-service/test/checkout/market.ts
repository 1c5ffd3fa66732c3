import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox, webhookSender } from '@oja/demo/paystack-sandbox';
import {
  decided,
  type ProductEvent,
  product,
  type SellerEvent,
  seller,
  type TransactionEvent,
  transaction,
} from '@oja/domain';
import { createApp, createReadiness } from '@oja/http';
import {
  createEmbeddedDocuments,
  createEmbeddedEventStore,
  createEmbeddedJobs,
  createEmbeddedKeys,
  createEmbeddedState,
  createMail,
  createMetrics,
  createPaystack,
  type Payments,
  type Position,
  signWebhook,
  systemClock,
} from '@oja/platform';
import { createProjector, projections } from '@oja/projector';
import { settleDispute } from '../../src/checkout/index.js';
import type { Deps } from '../../src/deps.js';
import { createCommandService } from '../../src/service.js';
import { runSweep } from '../../src/sweeps/index.js';
import { depsOver, quiet } from '../support/deps.mjs';

export const SECRET = 'sk_test_of_the_checkout';
const NOON = Date.UTC(2026, 0, 5, 12);
export const HOUR = 3_600_000;

const write = () => {};
export const aBuyer = {
  full_name: 'Ngozi Eze',
  email: 'ngozi@buyers.example',
  home_address: '4 Odim Street, Nsukka',
  phone_number: '08031234567',
};

export interface Answer {
  readonly status: number;
  readonly body: { readonly [field: string]: unknown };
  readonly headers: Headers;
}

export type Market = Awaited<ReturnType<typeof openMarket>>;

/** The command side on embedded engines, with the payment sandbox, behind real HTTP. */
export async function openMarket(
  options: { readonly payouts?: boolean; readonly jobs?: boolean; readonly demo?: boolean } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'oja-checkout-'));
  const at = (name: string) => join(folder, name);
  let now = NOON;
  const clock = { now: () => now };
  const eventStore = await createEmbeddedEventStore({ file: at('log') });
  const documents = await createEmbeddedDocuments({ file: at('documents') });
  const state = await createEmbeddedState({ file: at('state') });
  const keys = await createEmbeddedKeys({ file: at('keys'), masterKey: Buffer.alloc(32, 7) });
  const jobs = options.jobs
    ? await createEmbeddedJobs({ file: at('jobs'), clock: systemClock, onError: write })
    : null;
  const mail = createMail({
    smtpUrl: null,
    folder: at('mail'),
    clock,
    from: 'help@oja.example',
  });

  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const publicUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;

  const paystack = createPaystack({ url: `${publicUrl}/sandbox`, secret: SECRET });
  let misbehaviour: Partial<Payments> = {};
  const payments = new Proxy(paystack, {
    get: (real, name: keyof Payments) => misbehaviour[name] ?? real[name],
  });
  const deps: Deps = await depsOver({
    eventStore,
    documents,
    state,
    keys,
    ...(jobs && { jobs }),
    payments,
    mail,
    clock,
    publicUrl,
    secret: SECRET,
    settings: { demo: options.demo ?? true, payouts: options.payouts ?? false },
  });
  const { handle, load } = deps;
  const sandbox = createSandbox({
    state,
    secret: SECRET,
    publicUrl,
    clock,
    send: webhookSender(`${publicUrl}/v1/paystack/webhook`),
    report: (error) => {
      throw error;
    },
  });
  const service = createCommandService(deps);
  const app = createApp({
    logger: quiet,
    metrics: createMetrics(),
    readiness: createReadiness(),
    publicUrl,
    trustedProxy: [],
  });
  app.use((ctx, next) => sandbox.middleware(ctx, next));
  service.mount(app);
  server.on('request', app.callback());

  const projector = createProjector({
    eventStore,
    documents,
    state,
    jobs: {
      add: async () => {},
      work: () => ({ close: async () => {} }),
      counts: async () => ({ waiting: 0, delayed: 0, active: 0, failed: 0 }),
      find: async () => null,
      close: async () => {},
    },
    projections: projections.filter(({ name }) => name === 'obligations'),
    reactions: [],
    logger: quiet,
    clock,
    metrics: { setProjectionLag: () => {} },
  });
  let projecting = false;

  const context = () => {
    const commandId = randomUUID();
    return { actor: 'test', commandId, correlationId: commandId, causationId: commandId };
  };

  const market = {
    folder,
    deps,
    clock,
    publicUrl,
    sandbox,
    service,
    pass(ms: number): void {
      now += ms;
    },
    /** Replaces these calls to the payment provider; all others reach the sandbox. */
    provider(other: Partial<Payments>): void {
      misbehaviour = other;
    },
    paystack,

    async call(
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ): Promise<Answer> {
      const response = await fetch(`${publicUrl}${path}`, {
        method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const parsed: Answer['body'] = JSON.parse(await response.text());
      return { status: response.status, body: parsed, headers: response.headers };
    },

    async seller(id: string, ...more: readonly SellerEvent[]): Promise<void> {
      const { name, phone } = await deps.sealer.seal(`seller:${id}`, `seller-${id}`, {
        name: 'A Seller',
        phone: '0803',
      });
      await market.happen(
        seller,
        id,
        {
          type: 'SellerRegistered',
          data: { sellerId: id, businessName: `Stall ${id}`, name, phone },
        },
        ...more,
      );
    },

    /** `price` in kobo. */
    async goods(id: string, price: number, sellerId = 'ada'): Promise<void> {
      await market.happen(product, id, {
        type: 'ProductListed',
        data: {
          productId: id,
          sellerId,
          name: `Thing ${id}`,
          price,
          priceKind: 'upload',
          description: 'A thing',
          subcategoryId: 1,
          state: 'Enugu',
          localGovt: 'Nsukka',
          condition: 'New',
          attributes: {},
          images: [`${id}.webp`],
          at: new Date(now).toISOString(),
        },
      });
    },

    /** Appends events as they are, without the commands that lead to them. */
    async happen(
      aggregate: typeof seller | typeof product | typeof transaction,
      id: string,
      ...events: readonly (SellerEvent | ProductEvent | TransactionEvent)[]
    ): Promise<void> {
      const anything = {
        ...aggregate,
        initial: null,
        evolve: () => null,
        parse: () => null,
        decide: () => decided(...events),
      };
      await handle(anything, id, null, context());
    },

    /** Places an order over HTTP; `amount` in naira. */
    initialize(
      items: readonly { readonly id: string; readonly quantity?: number }[],
      amount: number,
      headers: Record<string, string> = {},
      buyer: object = aBuyer,
    ): Promise<Answer> {
      const buyerItems = items.map(({ id, quantity = 1 }) => ({
        product_id: id,
        user_id: 'ada',
        quantity,
      }));
      return market.call(
        'POST',
        '/v1/transaction/initialize',
        { ...buyer, amount, buyerItems },
        headers,
      );
    },

    /** Places an order, by default of one bag for ₦11,500. Returns its key and cookie as the browser holds them. */
    async ordered(items: readonly { readonly id: string }[] = [{ id: 'bag' }], naira = 11_500) {
      const answer = await market.initialize(items, naira);
      const key = String(answer.body.transactionId);
      const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
      const id = key.split('.')[0] ?? '';
      return { key, id, cookie, reference: id, address: addressOf(answer) };
    },

    async press(address: string, button: 'pay' | 'decline'): Promise<void> {
      await fetch(`${address}/${button}`, { method: 'POST', redirect: 'manual' });
    },

    async paid() {
      const order = await market.ordered();
      await market.press(order.address, 'pay');
      await market.call('GET', `/v1/transaction/verify/${order.reference}`);
      return order;
    },

    /** An order of which the payment was begun twice at the provider; nothing is paid. `second`: the second one. */
    async begunTwice() {
      const order = await market.ordered();
      const begun = await market.paystack.initialize({
        email: aBuyer.email,
        amount: 1_150_000,
        currency: 'NGN',
        reference: `${order.id}-2`,
        callbackUrl: `${publicUrl}/payment/verify`,
        metadata: {},
      });
      if (!begun.ok) throw new Error('the sandbox did not take the second payment');
      return { ...order, second: begun.value };
    },

    /** An order that was paid twice, of which both payments are verified: the second is held aside. */
    async paidTwice() {
      const order = await market.begunTwice();
      await market.press(order.address, 'pay');
      await market.press(order.second.authorizationUrl, 'pay');
      await market.verify(order.reference);
      await market.verify(order.second.reference);
      return order;
    },

    verify: (reference: string, cookie?: string) =>
      market.call(
        'GET',
        `/v1/transaction/verify/${reference}`,
        undefined,
        cookie === undefined ? {} : { cookie },
      ),

    /** Tells the provider's sandbox what to get wrong next, or what a bank does. */
    control: (body: object) =>
      market.call('POST', '/sandbox/control', body, { authorization: `Bearer ${SECRET}` }),

    webhook: (body: object, secret = SECRET) =>
      market.call('POST', '/v1/paystack/webhook', body, {
        'x-paystack-signature': signWebhook(Buffer.from(JSON.stringify(body)), secret),
      }),

    /** The types of an order's events, oldest first. */
    async story(id: string): Promise<string[]> {
      const types: string[] = [];
      for await (const { type } of eventStore.readStream(`transaction-${id}`)) types.push(type);
      return types;
    },

    /** The number of order streams. */
    async orders(): Promise<number> {
      const streams = new Set<string>();
      for await (const { stream } of eventStore.readAll({ after: null }))
        if (stream.startsWith('transaction-')) streams.add(stream);
      return streams.size;
    },

    /** References of the payments that the provider has captured. */
    async captures(): Promise<readonly string[]> {
      const taken: string[] = [];
      const options = { limit: 1_000 };
      for (const { value } of await state.list('payment-sandbox', 'transaction:', now, options))
        if (value.outcome === 'success') taken.push(String(value.reference));
      return taken;
    },

    async stateOf(id: string) {
      const { state: order } = await load(transaction, id);
      if (order.status === 'none') throw new Error('there is no such order');
      return order;
    },

    tokenOf: async (sellerId: string): Promise<Record<string, string>> => {
      const started = await deps.sessions.start(sellerId, now);
      const token = await deps.accessTokens.issue(
        { subject: sellerId, session: started.session },
        now,
      );
      return { authorization: `Bearer ${token}` };
    },

    /** Waits until the `obligations` read model is up to date, then runs one sweep. */
    async sweep(of: Deps = deps): Promise<void> {
      if (!projecting) await projector.start();
      projecting = true;
      const head: Position | null = await eventStore.head();
      if (head !== null) await projector.caughtUp(head);
      await runSweep(of, now);
    },

    async close(): Promise<void> {
      await service.close();
      await jobs?.close();
      if (projecting) await projector.stop();
      await sandbox.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await Promise.all([documents.close(), state.close(), keys.close(), mail.close()]);
      await eventStore.close();
      rmSync(folder, { recursive: true });
    },
  };
  await market.seller('ada');
  await market.goods('bag', 1_150_000);
  return market;
}

export function addressOf({ body }: Answer): string {
  const { data } = body;
  if (typeof data !== 'object' || data === null || !('data' in data))
    throw new Error('no envelope');
  const inner = data.data;
  if (typeof inner !== 'object' || inner === null || !('authorization_url' in inner))
    throw new Error('no address');
  return String(inner.authorization_url);
}

/** Settles a share as whoever runs the market does, from the terminal. */
export const settle = (
  { deps }: Market,
  transactionId: string,
  outcome: 'release' | 'refund',
  { sellerId = 'ada', note = 'Nobody answers' } = {},
) =>
  settleDispute(
    deps,
    { transactionId, sellerId, outcome, note, by: 'operator' },
    { actor: 'operator', commandId: randomUUID(), correlationId: 'c', causationId: 'c' },
  );
