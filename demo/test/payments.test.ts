import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createPaystack, signWebhook } from '@oja/platform';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { answered, aPayment, paymentsContract } from './payments.js';
import { listen, type SandboxUnderTest, SECRET, startSandbox, stop, urlOf } from './sandbox.js';

let under: SandboxUnderTest;
beforeAll(async () => {
  under = await startSandbox();
});
afterAll(() => under.close());

paymentsContract('the sandbox', () => ({
  payments: under.payments,
  pay: async (url) => void (await under.press(url, 'pay')),
  decline: async (url) => void (await under.press(url, 'decline')),
  settle: () => under.pass(5_000),
  sign: (body) => signWebhook(body, SECRET),
}));

const UNREACHABLE = { ok: false, reason: 'unreachable' };

describe('a provider that misbehaves', () => {
  test('a lost answer leaves the outcome open, and verify finds the payment', async () => {
    const payment = aPayment();
    await under.control({ fault: 'lost-answer', reference: payment.reference });
    expect(await under.payments.initialize(payment)).toEqual(UNREACHABLE);
    expect(answered(await under.payments.verify(payment.reference)).status).toBe('abandoned');
    const again = await under.payments.initialize(payment);
    expect(again).toEqual({ ok: false, reason: 'duplicate-reference' });
  });

  test('429 says how long to wait, and the next call is answered', async () => {
    const payment = aPayment();
    const { reference } = payment;
    await under.control({ fault: 'rate-limit', reference, retryAfterSeconds: 7 });
    const limited = await under.payments.initialize(payment);
    expect(limited).toEqual({ ok: false, reason: 'rate-limited', retryAfterSeconds: 7 });
    answered(await under.payments.initialize(payment));
  });

  test('a wrong key is refused by name', async () => {
    const stranger = createPaystack({ url: under.url, secret: 'sk_test_of_somebody_else' });
    const answer = await stranger.initialize(aPayment());
    expect(answer).toEqual({ ok: false, reason: 'unauthorized', message: 'Invalid key' });
    const signature = signWebhook(Buffer.from('{}'), 'sk_test_of_somebody_else');
    expect(under.payments.isSignedByProvider(Buffer.from('{}'), signature)).toBe(false);
  });
});

type Answerer = (request: IncomingMessage, response: ServerResponse) => void;

const answering =
  (status: number, body: string, headers: Record<string, string> = {}): Answerer =>
  (request, response) => {
    request.resume();
    response.writeHead(status, headers).end(body);
  };

describe('an answer that is not the provider’s', () => {
  let close = async () => {};
  afterEach(() => close());

  async function clientOf(answerer: Answerer) {
    const server = await listen(createServer(answerer));
    close = () => stop(server);
    return createPaystack({ url: urlOf(server), secret: SECRET, timeoutMs: 300 });
  }

  test.each<[string, Answerer]>([
    ['garbage with status 200', answering(200, '<html>hello')],
    ['an empty body', answering(200, '')],
    ['JSON that is no envelope', answering(200, '[1,2]')],
    ['an envelope without what was asked', answering(200, '{"status":true,"data":{"id":1}}')],
    ['a payment without a status', answering(200, '{"status":true,"data":{"id":1,"amount":1}}')],
    ['a 500', answering(500, '{"status":false,"message":"boom"}')],
    ['a page of a proxy', answering(403, '<html>blocked')],
    ['a request time-out', answering(408, '{"status":false,"message":"late"}')],
    ['a redirect elsewhere', answering(302, '', { location: 'http://127.0.0.1:9/' })],
    [
      'half a body',
      (_, response) => response.writeHead(200, { 'content-length': '99' }).write('{'),
    ],
    ['silence', (request) => request.resume()],
    ['a cut connection', (request) => request.socket.destroy()],
  ])('%s leaves the outcome open', async (_, answerer) => {
    const client = await clientOf(answerer);
    expect(await client.verify('any')).toEqual(UNREACHABLE);
    expect(await client.initialize(aPayment())).toEqual(UNREACHABLE);
  });

  test('a call takes the connection that the one before has left', async () => {
    let connections = 0;
    const server = createServer(answering(404, '{"status":false,"message":"no"}'));
    server.on('connection', () => {
      connections += 1;
    });
    await listen(server);
    close = () => stop(server);
    const client = createPaystack({ url: urlOf(server), secret: SECRET });
    for (let n = 0; n < 3; n += 1)
      expect(await client.verify('any')).toEqual({ ok: false, reason: 'not-found' });
    expect(connections).toBe(1);
  });

  test('a refusal says whether it is of the caller (403) and not of what was asked', async () => {
    const refused = { ok: false, reason: 'refused', message: 'no' };
    const account = { name: 'Ada Obi', accountNumber: '0123456789', bankCode: '058' };
    for (const [status, says] of [
      [403, { ...refused, isForbidden: true }],
      [400, refused],
    ] as const) {
      const client = await clientOf(answering(status, '{"status":false,"message":"no"}'));
      expect(await client.createRecipient(account)).toEqual(says);
      await close();
      close = async () => {};
    }
  });

  test('nobody listening leaves the outcome open', async () => {
    const server = await listen(createServer());
    const url = urlOf(server);
    await stop(server);
    expect(await createPaystack({ url, secret: SECRET }).verify('any')).toEqual(UNREACHABLE);
  });

  test.each([
    ['without a header', {}, 30],
    ['with seconds', { 'retry-after': '12' }, 12],
    ['with nonsense', { 'retry-after': 'soon' }, 30],
    ['with a day long gone', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 1],
    ['with a year', { 'retry-after': '31536000' }, 3600],
  ])('429 %s still says how long to wait', async (_, headers, retryAfterSeconds) => {
    const client = await clientOf(answering(429, 'slow down', headers));
    const answer = await client.verify('any');
    expect(answer).toEqual({ ok: false, reason: 'rate-limited', retryAfterSeconds });
  });

  test('refunds of another payment than was asked for are left out of a list', async () => {
    const made = { amount: 1_000, status: 'processed' };
    const data = [
      { ...made, id: 1, transaction: 77 },
      { ...made, id: 2, transaction: 78 },
      { ...made, id: 3, transaction: { id: 77, reference: 'r' }, dispute: { id: 5 } },
      { ...made, id: 4 },
    ];
    const client = await clientOf(answering(200, JSON.stringify({ status: true, data })));
    expect(answered(await client.refunds('77'))).toMatchObject([
      { id: '1', disputeId: null },
      { id: '3', disputeId: '5' },
      { id: '4' },
    ]);
  });

  test('a word for a status that nobody knows is a status that is not final', async () => {
    const payment = { id: 1, reference: 'r', amount: 1_000, currency: 'NGN' };
    const refund = { id: 2, amount: 1_000 };
    const saying = (data: unknown) =>
      clientOf(answering(200, JSON.stringify({ status: true, data })));
    const first = await saying({ ...payment, status: 'reversal_pending' });
    expect(answered(await first.verify('r')).status).toBe('pending');
    await close();
    const known = { ...refund, id: 3, status: 'processed' };
    const second = await saying([{ ...refund, status: 'retrying' }, known]);
    const listed = answered(await second.refunds('1'));
    expect(listed.map(({ status }) => status)).toEqual(['pending', 'processed']);
  });

  test('a 400 with the code of an unknown reference is not found, as a 404 is', async () => {
    const body = '{"status":false,"message":"no","code":"transaction_not_found"}';
    const client = await clientOf(answering(400, body));
    expect(await client.verify('any')).toEqual({ ok: false, reason: 'not-found' });
  });

  test('the secret goes in the header, and the reference is escaped in the path', async () => {
    const seen: string[] = [];
    const client = await clientOf((request, response) => {
      seen.push(request.url ?? '', request.headers.authorization ?? '');
      response.end('{}');
    });
    await client.verify('../transfer?a=b');
    expect(seen).toEqual(['/transaction/verify/..%2Ftransfer%3Fa%3Db', `Bearer ${SECRET}`]);
  });
});
