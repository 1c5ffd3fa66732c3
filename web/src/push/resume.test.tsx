import { pagePaths } from '@oja/contracts/pages';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderAt } from '../../test/render.js';
import { aSeller } from '../../test/sellers.js';
import { queryClient } from '../api/query-client.js';
import { DashboardLayout } from '../app/layouts/DashboardLayout.js';
import NotificationsPage from '../features/dashboard/NotificationsPage.js';
import PasswordPage from '../features/dashboard/PasswordPage.js';
import { signIn, signOut } from '../stores/session.js';
import { resumePush } from './resume.js';

const ASK = 'Show new orders on this device';
const STOP = 'Stop these messages';
const ENDPOINT = 'https://push.test/1';
// Of signs that only base64url has.
const KEY = 'BPublicKey-_';
const NEXT_KEY = 'BNextKey';

/** The market's application key, base64url. */
let publicKey = '';
/** The browser's subscription. */
let held: ReturnType<typeof subscriptionFor> | null = null;
/** Endpoints that the market knows, by seller. */
let known = new Map<string, string>();
/** A subscription for this application key. */
const subscriptionFor = (key: string, endpoint: string) => ({
  endpoint,
  options: { applicationServerKey: Uint8Array.from(Buffer.from(key, 'base64url')).buffer },
  toJSON: () => ({ endpoint, keys: { p256dh: 'p', auth: 'a' } }),
  unsubscribe: async () => {
    held = null;
    return true;
  },
});
const pushManager = {
  getSubscription: async () => held,
  /** As browsers do, it gives no subscription for another key while there is one. */
  subscribe: vi.fn(async ({ applicationServerKey: key }: { applicationServerKey: string }) => {
    const other = subscriptionFor(key, key === KEY ? ENDPOINT : `${ENDPOINT}/of-${key}`);
    if (held !== null && held.endpoint !== other.endpoint)
      throw new DOMException('There is one for another key', 'InvalidStateError');
    held ??= other;
    return held;
  }),
};
const permitted = (permission: NotificationPermission) =>
  vi.stubGlobal('Notification', { permission, requestPermission: async () => permission });

type Asked = { readonly newSubscription: { readonly endpoint: string }; readonly sellerId: string };
const server = setupServer(
  http.get('*/v1/settings', () => HttpResponse.json({ pushPublicKey: publicKey })),
  http.get('*/v1/notifications/unread/*', () =>
    HttpResponse.json({ success: true, result: [], news: [], position: null }),
  ),
  http.post<never, Asked>('*/subscription/check-subscription', async ({ request }) => {
    const { newSubscription, sellerId } = await request.json();
    return HttpResponse.json({ exists: known.get(sellerId) === newSubscription.endpoint });
  }),
  http.post<never, Asked>('*/subscription', async ({ request }) => {
    const { newSubscription, sellerId } = await request.json();
    known.set(sellerId, newSubscription.endpoint);
    return HttpResponse.json({ success: true }, { status: 201 });
  }),
  http.delete<never, { readonly sellerId: string }>('*/subscription', async ({ request }) => {
    known.delete((await request.json()).sellerId);
    return HttpResponse.json({ success: true });
  }),
);

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  held = null;
  publicKey = KEY;
  known = new Map();
  pushManager.subscribe.mockClear();
  permitted('granted');
  vi.stubGlobal('PushManager', class {});
  const registration = { pushManager };
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { ready: Promise.resolve(registration), getRegistration: async () => registration },
  });
});
afterEach(() => {
  signOut();
  server.resetHandlers();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'serviceWorker');
});
afterAll(() => server.close());

const open = (address: string) =>
  renderAt(address, [
    {
      element: <DashboardLayout />,
      children: [
        { path: pagePaths.dashboard, element: <p>My goods</p> },
        { path: pagePaths.notifications, element: <NotificationsPage /> },
      ],
    },
  ]);
const press = async (name: string) =>
  fireEvent.click(await screen.findByRole('button', { name, busy: false }));

/** The first seller turns the messages on, and their session ends, which ends the messages too. */
async function turnOnAndLeave(): Promise<void> {
  signIn(aSeller(), 'token');
  const { unmount } = open('/dashboard/notifications');
  await press(ASK);
  await screen.findByText('This device shows new orders');
  unmount();
  signOut();
  await waitFor(() => expect(held).toBeNull());
  known.clear();
  pushManager.subscribe.mockClear();
}

describe('messages while Oja is closed, after a new login', () => {
  it('come again to the seller who turned them on here, without a press', async () => {
    await turnOnAndLeave();
    signIn(aSeller(), 'another token');
    open('/dashboard');
    await waitFor(() => expect(known.get('s7')).toBe(ENDPOINT));
    expect(held).toMatchObject({ endpoint: ENDPOINT });
    expect(pushManager.subscribe).toHaveBeenCalledWith({
      userVisibleOnly: true,
      applicationServerKey: KEY,
    });
  });

  it('are shown as on where the seller looks for them', async () => {
    await turnOnAndLeave();
    signIn(aSeller(), 'another token');
    open('/dashboard/notifications');
    expect(await screen.findByText('This device shows new orders')).toBeTruthy();
  });

  it('come to no other seller', async () => {
    await turnOnAndLeave();
    signIn(aSeller({ user_id: 's8' }), 'token of another');
    await resumePush('s8');
    expect(pushManager.subscribe).not.toHaveBeenCalled();
  });

  it('do not come without the permission, and are taken up only once', async () => {
    await turnOnAndLeave();
    signIn(aSeller(), 'another token');
    permitted('denied');
    await resumePush('s7');
    expect(pushManager.subscribe).not.toHaveBeenCalled();
    permitted('granted');
    await resumePush('s7');
    await resumePush('s7');
    expect(pushManager.subscribe).toHaveBeenCalledOnce();
  });

  it("come again after the market's keys were replaced, which ends what was signed with the old ones", async () => {
    signIn(aSeller(), 'token');
    const { unmount } = open('/dashboard/notifications');
    await press(ASK);
    await screen.findByText('This device shows new orders');
    unmount();
    pushManager.subscribe.mockClear();
    await resumePush('s7');
    expect(pushManager.subscribe).not.toHaveBeenCalled();

    publicKey = NEXT_KEY;
    queryClient.clear();
    await resumePush('s7');
    expect(known.get('s7')).toBe(`${ENDPOINT}/of-${NEXT_KEY}`);
    expect(held).toMatchObject({ endpoint: `${ENDPOINT}/of-${NEXT_KEY}` });
  });

  it('come again after the market has ended the messages of all devices, as a new password does', async () => {
    signIn(aSeller(), 'token');
    const { unmount } = open('/dashboard/notifications');
    await press(ASK);
    await screen.findByText('This device shows new orders');
    unmount();
    known.clear();
    await resumePush('s7');
    expect(known.get('s7')).toBe(ENDPOINT);
  });

  it('come again at once to the browser that changes the password', async () => {
    signIn(aSeller(), 'token');
    const { unmount } = open('/dashboard/notifications');
    await press(ASK);
    await screen.findByText('This device shows new orders');
    unmount();
    let isChanged = false;
    server.use(
      http.put('*/v1/user/password', () => {
        isChanged = true;
        known.clear();
        return HttpResponse.json({ success: true, message: 'Password changed' });
      }),
    );
    renderAt('/dashboard/profile/password', [
      { path: pagePaths.password, element: <PasswordPage /> },
    ]);
    for (const label of [/^Old password/, /^New password/])
      fireEvent.change(screen.getByLabelText(label), { target: { value: 'adire-and-indigo' } });
    await press('Change password');
    await waitFor(() => expect(isChanged).toBe(true));
    await waitFor(() => expect(known.get('s7')).toBe(ENDPOINT));
  });

  it('do not come again once they were stopped', async () => {
    signIn(aSeller(), 'token');
    open('/dashboard/notifications');
    await press(ASK);
    await press(STOP);
    await screen.findByRole('button', { name: ASK, busy: false });
    pushManager.subscribe.mockClear();
    await resumePush('s7');
    expect(pushManager.subscribe).not.toHaveBeenCalled();
  });

  it('are tried again at the next login when the market could not be told', async () => {
    await turnOnAndLeave();
    signIn(aSeller(), 'another token');
    server.use(http.post('*/subscription', () => HttpResponse.json({}, { status: 503 })));
    await expect(resumePush('s7')).rejects.toThrow();
    expect(held).toBeNull();
    server.resetHandlers();
    await resumePush('s7');
    expect(known.get('s7')).toBe(ENDPOINT);
  });
});
