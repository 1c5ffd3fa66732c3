import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { renewPush } from './push.js';

const asked: unknown[] = [];
const server = setupServer(
  http.get('*/v1/refresh-token', () => HttpResponse.json({ success: true, accessToken: 'fresh' })),
  http.get('*/v1/user/single-user', () =>
    HttpResponse.json({ success: true, result: [{ user_id: 's7' }] }),
  ),
  http.get('*/v1/settings', () => HttpResponse.json({ pushPublicKey: 'key' })),
  http.all('*/subscription', async ({ request }) => {
    const token = request.headers.get('Authorization');
    asked.push([request.method, token, await request.json()]);
    return HttpResponse.json({ success: true });
  }),
);
const request = vi.fn((_name: string, work: () => unknown) => work());
beforeAll(() => {
  server.listen({ onUnhandledRequest: 'error' });
  vi.stubGlobal('navigator', { locks: { request } });
});
afterEach(() => {
  asked.length = 0;
  request.mockClear();
  server.resetHandlers();
  vi.restoreAllMocks();
});
afterAll(() => {
  vi.unstubAllGlobals();
  server.close();
});

const keys = { p256dh: 'p', auth: 'a' };
const aSubscription = (endpoint: string) => ({
  endpoint,
  expirationTime: null,
  options: { applicationServerKey: null, userVisibleOnly: true },
  getKey: () => null,
  toJSON: () => ({ endpoint, expirationTime: null, keys }),
  unsubscribe: vi.fn(async () => true),
});
const subscribe = vi.fn(async () => aSubscription('https://push.test/new'));
const registration = Object.assign(Object.create(null), { pushManager: { subscribe } });
const added = (endpoint: string) => [
  'POST',
  'Bearer fresh',
  { newSubscription: { endpoint, expirationTime: null, keys }, sellerId: 's7' },
];

it('forgets the old address and subscribes anew where the browser has not', async () => {
  const oldSubscription = aSubscription('https://push.test/old');
  await renewPush(registration, { oldSubscription, newSubscription: null });
  expect(subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: 'key' });
  expect(asked).toEqual([
    ['DELETE', 'Bearer fresh', { endpoint: 'https://push.test/old', sellerId: 's7' }],
    added('https://push.test/new'),
  ]);
});

it('subscribes anew although the market cannot forget the old address', async () => {
  server.use(http.delete('*/subscription', () => HttpResponse.json({}, { status: 503 })));
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const oldSubscription = aSubscription('https://push.test/old');
  await renewPush(registration, { oldSubscription, newSubscription: null });
  expect(asked).toEqual([added('https://push.test/new')]);
});

it('takes turns with the tabs at the cookie', async () => {
  const newSubscription = aSubscription('https://push.test/given');
  await renewPush(registration, { oldSubscription: null, newSubscription });
  expect(request).toHaveBeenCalledExactlyOnceWith('oja-refresh', expect.any(Function));
});

it('takes over the one that the browser has made', async () => {
  const newSubscription = aSubscription('https://push.test/given');
  await renewPush(registration, { oldSubscription: null, newSubscription });
  expect(asked).toEqual([added('https://push.test/given')]);
});

it('tells nobody where the session is over', async () => {
  server.use(http.get('*/v1/refresh-token', () => HttpResponse.json({}, { status: 401 })));
  const newSubscription = aSubscription('https://push.test/given');
  await renewPush(registration, { oldSubscription: null, newSubscription });
  expect(newSubscription.unsubscribe).toHaveBeenCalled();
  expect(asked).toEqual([]);
});
