import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createMemoryState,
  createMemoryStateData,
  createPaystack,
  type PaymentNotice,
  type Payments,
  readWebhook,
  type State,
} from '@oja/platform';
import Koa from 'koa';
import { createSandbox, type Sandbox } from '../src/paystack-sandbox/sandbox.js';
import { answered, aPayment } from './payments.js';

export const SECRET = 'sk_test_of_the_contract_suite';

interface ReceivedWebhook {
  readonly body: Buffer;
  readonly signature: string;
  readonly notice: PaymentNotice;
}

/** A sandbox over real HTTP, a client for it, a clock that a test moves, and what webhooks came. */
export interface SandboxUnderTest {
  readonly url: string;
  readonly payments: Payments;
  readonly sandbox: Sandbox;
  readonly state: State;
  readonly received: ReceivedWebhook[];
  /** Moves the clock on and sends what has become due. */
  pass(ms: number): Promise<void>;
  now(): number;
  /** Whether the receiver of webhooks answers 200. */
  accepts: boolean;
  control(body: object): Promise<Response>;
  press(
    authorizationUrl: string,
    button: 'pay' | 'decline' | 'cancel' | 'resend',
  ): Promise<Response>;
  close(): Promise<void>;
}

export async function startSandbox(
  state: State = createMemoryState(createMemoryStateData()),
  more: Partial<Parameters<typeof createSandbox>[0]> = {},
): Promise<SandboxUnderTest> {
  let now = Date.UTC(2026, 0, 5, 9);
  const clock = { now: () => now };
  const received: ReceivedWebhook[] = [];
  const app = new Koa();
  app.use((ctx, next) => sandbox.middleware(ctx, next));
  const server = await listen(createServer(app.callback()));
  const publicUrl = urlOf(server);
  const sandbox: Sandbox = createSandbox({
    state,
    secret: SECRET,
    publicUrl,
    clock,
    send: async ({ body, signature }) => {
      received.push({ body, signature, notice: readWebhook(body) });
      return under.accepts;
    },
    report: (error) => {
      throw error;
    },
    ...more,
  });
  const url = `${publicUrl}/sandbox`;
  const under: SandboxUnderTest = {
    url,
    payments: createPaystack({ url, secret: SECRET }),
    sandbox,
    state,
    received,
    accepts: true,
    now: clock.now,
    async pass(ms) {
      now += ms;
      await sandbox.deliverDue();
    },
    control: (body) =>
      fetch(`${url}/control`, {
        method: 'POST',
        headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    press: (authorizationUrl, button) =>
      fetch(`${authorizationUrl}/${button}`, { method: 'POST', redirect: 'manual' }),
    async close() {
      await sandbox.stop();
      await stop(server);
    },
  };
  return under;
}

export async function listen(server: Server): Promise<Server> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

export function urlOf(server: Server): string {
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

export async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** Starts a payment; answers the address of its checkout page. */
export async function started(under: SandboxUnderTest, reference = 'order-1'): Promise<string> {
  const payment = aPayment({ reference });
  return answered(await under.payments.initialize(payment)).authorizationUrl;
}

/** Starts and pays; answers the provider's id of the payment. */
export async function paid(under: SandboxUnderTest, reference = 'order-1'): Promise<string> {
  await under.press(await started(under, reference), 'pay');
  return answered(await under.payments.verify(reference)).id;
}

export async function transferred(under: SandboxUnderTest): Promise<void> {
  const account = { name: 'Ada', accountNumber: '0123456789', bankCode: '058' };
  const { recipientCode } = answered(await under.payments.createRecipient(account));
  const reference = 'payout-0000000001';
  const request = { amount: 500, recipientCode, reference, reason: 'share' };
  answered(await under.payments.transfer(request));
}

/** The types of the webhooks that came, in order. */
export const typesOf = (under: SandboxUnderTest): string[] =>
  under.received.map(({ notice }) => notice.type);
