import { once } from 'node:events';
import { connect as connectTcp, type Socket as TcpSocket } from 'node:net';
import { promisify } from 'node:util';
import { ACCESS_TOKEN_SECONDS } from '@oja/platform';
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noticeDocument, ORDER_ID, transactionDocument } from './support/fixtures.js';
import { append, type Market, openMarket, PUBLIC_URL } from './support/market.js';
import { type Served, serve } from './support/served.js';

const PAID_AT = '2026-03-01T10:00:00.000Z';

let market: Market;
let services: readonly [Served, Served];
let sockets: Socket[];

beforeEach(async () => {
  market = await openMarket();
  services = [await serve(market), await serve(market)];
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.disconnect();
  await Promise.all(services.map((one) => one.close()));
  await market.close();
});

function connect(
  served: Served,
  token: string | undefined,
  options: Partial<ManagerOptions & SocketOptions> = {},
): Socket {
  const socket = io(served.origin, {
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    auth: { token },
    extraHeaders: { Origin: PUBLIC_URL },
    ...options,
  });
  sockets.push(socket);
  return socket;
}

const happens = <T = unknown>(socket: Socket, event: string) =>
  new Promise<T>((resolve) => {
    socket.once(event, resolve);
  });

async function registered(served: Served, sellerId: string, token: string): Promise<Socket> {
  const socket = connect(served, token);
  await happens(socket, 'connect');
  socket.emit('register', sellerId);
  return socket;
}

/** Appends a paid order from s-1 and s-2. Returns the position and the event id of the payment. */
async function paidOrder() {
  const { buyer, secret, lines, shares } = await transactionDocument(market.sealer);
  const plain = (value: { sealed: string; subject: string }) => ({ ...value });
  const position = await append(market.eventStore, `transaction-${ORDER_ID}`, [
    {
      type: 'OrderPlaced',
      data: {
        transactionId: ORDER_ID,
        lines: lines.map(({ price, ...line }) => ({
          ...line,
          subcategoryId: 1,
          unitPrice: price,
          priceKind: 'upload',
        })),
        shares: shares.map(({ sellerId, businessName, share, paid }) => ({
          sellerId,
          businessName,
          share,
          price: paid,
        })),
        deliveryFee: 0,
        amount: 3_450_000,
        currency: 'NGN',
        reference: ORDER_ID,
        fullName: plain(buyer.fullName),
        email: plain(buyer.email),
        homeAddress: plain(buyer.homeAddress),
        phoneNumber: plain(buyer.phoneNumber),
        secret: plain(secret),
        at: PAID_AT,
      },
    },
    {
      type: 'PaymentVerified',
      data: {
        transactionId: ORDER_ID,
        reference: ORDER_ID,
        amount: 3_450_000,
        fees: 0,
        channel: null,
        providerId: '1',
        paidAt: PAID_AT,
      },
    },
  ]);
  return { position, eventId: await lastOf(`transaction-${ORDER_ID}`) };
}

/** The id of a stream's last event, which is part of the ids of its notices. */
async function lastOf(stream: `${string}-${string}`): Promise<string> {
  let id = '';
  for await (const event of market.eventStore.readStream(stream)) id = event.id;
  return id;
}

it('tells the sellers of a paid order, whichever process they are connected to', async () => {
  const [one, two] = services;
  const first = await registered(one, 's-1', await market.signedIn('s-1'));
  const second = await registered(two, 's-2', await market.signedIn('s-2'));
  const other = await registered(two, 's-3', await market.signedIn('s-3'));
  const heard: string[] = [];
  other.on('notification', () => heard.push('s-3'));
  const told = [first, second].map((socket) =>
    happens<{ message: string }>(socket, 'notification'),
  );

  const { position, eventId } = await paidOrder();
  first.once('notification', () => heard.push('s-1'));
  await market.put('notifications', 'items', `s-1/${eventId}`, noticeDocument());
  const shoe = noticeDocument().lines.slice(1);
  const theirs = noticeDocument({ lines: shoe, message: 'New order for:Shoe' });
  await market.put('notifications', 'items', `s-2/${eventId}`, theirs);
  expect(heard).toEqual([]);
  await market.moveOn('notifications', position);

  expect(await Promise.all(told)).toEqual([
    { message: 'New order for:Bag,Shoe' },
    { message: 'New order for:Shoe' },
  ]);
  expect(heard).toEqual(['s-1']);
});

it('tells whoever an event concerns of its money, and a suspended seller of the store', async () => {
  const [one, two] = services;
  const first = await registered(one, 's-1', await market.signedIn('s-1'));
  const second = await registered(two, 's-2', await market.signedIn('s-2'));
  const heard: string[] = [];
  second.on('notification', ({ message }: { message: string }) => heard.push(message));
  await paidOrder();

  const released = happens<{ message: string }>(first, 'notification');
  const stream = `transaction-${ORDER_ID}` as const;
  const data = { transactionId: ORDER_ID, sellerId: 's-1', amount: 2_000_000, at: PAID_AT };
  const position = await append(
    market.eventStore,
    stream,
    [{ type: 'SellerShareReleased', data }],
    1,
  );
  const money = { type: 'SellerShareReleased', message: '₦20,000 released to you: Bag' } as const;
  await market.put('notifications', 'items', `s-1/${await lastOf(stream)}`, noticeDocument(money));
  await market.moveOn('notifications', position);
  expect(await released).toEqual({ message: money.message });

  const closed = happens<{ message: string }>(second, 'notification');
  const about = { sellerId: 's-2', by: 'operator' };
  const later = await append(
    market.eventStore,
    'seller-s-2',
    [{ type: 'SellerSuspended', data: about }],
    0,
  );
  const store = { type: 'SellerSuspended', message: 'Your store is suspended.' } as const;
  const id = `s-2/${await lastOf('seller-s-2')}`;
  await market.put('notifications', 'items', id, noticeDocument(store));
  await market.moveOn('sellers', later);
  await market.moveOn('notifications', later);
  await closed;
  expect(heard).toEqual([store.message]);
});

it('tells of another bank account once the page that looks at once reads that one', async () => {
  const token = await market.signedIn('s-1');
  const socket = await registered(services[0], 's-1', token);
  let isThere = false;
  const wasThere = happens(socket, 'notification').then(() => isThere);
  const sealed = { sealed: 'x', subject: 'seller:s-1' };
  const data = { sellerId: 's-1', accountName: sealed, accountNumber: sealed, bankCode: sealed };
  const account = { type: 'PayoutAccountSet', data };
  const position = await append(market.eventStore, 'seller-s-1', [account], 0);
  const notice = { type: 'PayoutAccountSet', message: 'Another bank account' } as const;
  const id = `s-1/${await lastOf('seller-s-1')}`;
  await market.put('notifications', 'items', id, noticeDocument(notice));
  await market.moveOn('notifications', position);
  // What would have been told at once has been told by now.
  await registered(services[0], 's-1', token);
  isThere = true;
  await market.moveOn('sellers', position);
  expect(await wasThere).toBe(true);
});

it('lets nobody in without a good token, and says whether a fresh one would help', async () => {
  const expired = await market.accessTokens.issue(
    { subject: 's-1', session: 'x' },
    market.clock.now() - (ACCESS_TOKEN_SECONDS + 1) * 1_000,
  );
  const refusal = async (token: string | undefined) => {
    const socket = connect(services[0], token);
    return (await happens<Error & { data?: { code?: string } }>(socket, 'connect_error')).data
      ?.code;
  };
  expect(await refusal(undefined)).toBe('not_logged_in');
  expect(await refusal('nonsense')).toBe('not_logged_in');
  expect(await refusal(expired)).toBe('token_expired');
});

it('lets no page of another website in', async () => {
  const token = await market.signedIn('s-1');
  const socket = connect(services[0], token, { extraHeaders: { Origin: 'http://evil.test' } });
  expect(await happens(socket, 'connect_error')).toBeInstanceOf(Error);
});

it('hangs up on whoever registers as somebody else', async () => {
  const socket = await registered(services[0], 's-2', await market.signedIn('s-1'));
  expect(await happens(socket, 'disconnect')).toBe('io server disconnect');
});

it('hangs up on whoever sends too much', async () => {
  const socket = await registered(services[0], 's-1', await market.signedIn('s-1'));
  const gone = happens(socket, 'disconnect');
  socket.emit('register', 'x'.repeat(70_000));
  expect(await gone).toBe('transport close');
});

it('tells nothing to an ended session, and closes its line so that the page comes back', async () => {
  const socket = await registered(services[0], 's-1', await market.signedIn('s-1'));
  let told = 0;
  socket.on('notification', () => {
    told += 1;
  });
  const gone = happens(socket, 'disconnect');
  await market.sessions.endAll('s-1', market.clock.now());
  const { position, eventId } = await paidOrder();
  await market.put('notifications', 'items', `s-1/${eventId}`, noticeDocument());
  await market.moveOn('notifications', position);
  expect(await gone).toBe('transport close');
  expect(told).toBe(0);
});

it('answers polling with a refusal: there is one transport', async () => {
  const response = await services[0].get('/socket.io/?EIO=4&transport=polling');
  expect(response.status).toBe(400);
});

/** Opens a WebSocket and sends nothing. `status`: the HTTP status of the answer to the upgrade. */
async function silent(served: Served, from: string) {
  const { port } = new URL(served.origin);
  const socket = connectTcp(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${from}\r\n` +
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  );
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return { socket, status: Number(answer.toString().split(' ')[1]) };
}

const ADDRESS = '203.0.113.9';
const MORE_THAN_ENOUGH = 300;

describe("nobody's connections", () => {
  const open: TcpSocket[] = [];
  /** Opens connections until one is refused. Returns how many were accepted. */
  async function openAll(from = ADDRESS): Promise<number> {
    for (let n = 0; n < MORE_THAN_ENOUGH; n += 1) {
      const { socket, status } = await silent(services[0], from);
      if (status !== 101) return n;
      open.push(socket);
    }
    return MORE_THAN_ENOUGH;
  }
  afterEach(() => {
    for (const socket of open.splice(0)) socket.destroy();
  });

  it('are so many of an address, until one of them is over', async () => {
    expect(await openAll()).toBe(100);
    expect((await silent(services[0], '203.0.113.10')).status).toBe(101);
    expect((await silent(services[0], ADDRESS)).status).toBe(400);
    const first = open.shift();
    if (first) await Promise.all([once(first, 'close'), first.destroy()]);
    await expect.poll(async () => (await silent(services[0], ADDRESS)).status).toBe(101);
  });

  it('do not count whoever has signed in', async () => {
    const extraHeaders = { Origin: PUBLIC_URL, 'X-Forwarded-For': ADDRESS };
    for (const id of ['s-1', 's-2', 's-3']) {
      const socket = connect(services[0], await market.signedIn(id), { extraHeaders });
      await happens(socket, 'connect');
    }
    expect(await openAll()).toBe(100);
  });

  it('are hung up on after a while', async () => {
    const { socket } = await silent(services[0], ADDRESS);
    await once(socket, 'close');
  });

  it('are hung up on at once where a token is no good', async () => {
    const { socket: earlier } = await silent(services[0], ADDRESS);
    open.push(earlier);
    const { socket } = await silent(services[0], ADDRESS);
    // The frame needs a mask, because an unmasked one is an error itself: four zero bytes.
    const text = Buffer.from('40{"token":"x"}');
    socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]));
    const parts: Buffer[] = [];
    socket.on('data', (part: Buffer) => parts.push(part));
    await once(socket, 'close');
    expect(Buffer.concat(parts).toString()).toContain('not_logged_in');
    // The timeout of silent connections did not close it: the earlier one, also silent, is still open.
    expect(earlier.closed).toBe(false);
  });
});

it('keeps so many lines of one seller, and tells the next why not', async () => {
  const token = await market.signedIn('s-1');
  for (let n = 0; n < 50; n += 1) await happens(connect(services[0], token), 'connect');
  const refused = await happens<Error & { data?: { code?: string } }>(
    connect(services[0], token),
    'connect_error',
  );
  expect(refused.data?.code).toBe('too_many');
  sockets[0]?.disconnect();
  await expect
    .poll(async () => {
      const socket = connect(services[0], token);
      const [came] = await Promise.race([
        happens(socket, 'connect').then(() => ['connect']),
        happens(socket, 'connect_error').then(() => ['connect_error']),
      ]);
      return came;
    })
    .toBe('connect');
});

it('keeps no line of a seller who hung up while the token was read', async () => {
  const token = await market.signedIn('s-1');
  const { isOpen } = market.sessions;
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let asked = 0;
  const reading = vi.spyOn(market.sessions, 'isOpen').mockImplementation(async (...of) => {
    asked += 1;
    await held;
    return isOpen(...of);
  });
  for (let n = 0; n < 50; n += 1) connect(services[0], token);
  await expect.poll(() => asked).toBe(50);
  for (const socket of sockets) socket.disconnect();
  const { server } = services[0].listener;
  const open = () => promisify(server.getConnections.bind(server))();
  await expect.poll(open).toBe(0);
  reading.mockRestore();
  goOn();
  const socket = connect(services[0], token);
  const refused = happens(socket, 'connect_error').then(() => 'refused');
  expect(await Promise.race([happens(socket, 'connect').then(() => 'let in'), refused])).toBe(
    'let in',
  );
});

it.each([
  'SellerSuspended',
  'SellerReinstated',
  'SubAdminGranted',
  'SubAdminRevoked',
  'HeadAdminGranted',
  'HeadAdminRevoked',
])(
  'tells a seller that what they may do has changed by %s, once they can read of it',
  async (type) => {
    const mine = await registered(services[0], 's-1', await market.signedIn('s-1'));
    const other = await registered(services[0], 's-2', await market.signedIn('s-2'));
    const heard: string[] = [];
    other.on('rights', () => heard.push('s-2'));
    mine.on('rights', () => heard.push('s-1'));
    const told = happens(mine, 'rights');
    const data = { sellerId: 's-1', by: 'operator' };
    const position = await append(market.eventStore, 'seller-s-1', [{ type, data }], 0);
    expect(heard).toEqual([]);
    await market.moveOn('sellers', position);
    await told;
    expect(heard).toEqual(['s-1']);
  },
);

it('tells of changed rights although the notices stand still', async () => {
  const socket = await registered(services[0], 's-1', await market.signedIn('s-1'));
  market.clock.time += 60_000;
  await paidOrder();
  const told = happens(socket, 'rights');
  const data = { sellerId: 's-1', by: 'operator' };
  const granted = [{ type: 'SubAdminGranted', data }];
  const now = market.clock.now();
  const position = await append(market.eventStore, 'seller-s-1', granted, 0, now);
  await market.moveOn('sellers', position);
  await told;
});

it('waits before it follows again a log whose subscriptions end at once, as those of a closed one do', async () => {
  const followed = vi.spyOn(market.eventStore, 'subscribe').mockImplementation(async function* () {
    // Without a pause, nothing else would ever run again, not even the end of this test.
    if (followed.mock.calls.length > 100) throw new Error('followed without a pause');
    yield { kind: 'caught-up' };
  });
  const served = await serve(market);
  await vi.waitFor(() => expect(followed).toHaveBeenCalled());
  await new Promise((resolve) => setImmediate(resolve));
  expect(followed).toHaveBeenCalledOnce();
  await served.close();
});
