import { vi } from 'vitest';
import { notice } from '../orders.js';
import { at, type Row } from '../row.js';
import { emittedEvents, sendToApp } from '../socket.js';
import type { Stage } from '../stage.js';
import { asSeller, callCount, count, failure, press, sentValue } from '../steps.js';

const UNREAD = 'GET /v1/notifications/unread/:userId';
const CLEAR = 'DELETE /v1/notifications/read/:userId';
const page = at('/dashboard/notifications', asSeller);
const anywhere = at('/', asSeller);

async function hear(stage: Stage) {
  await stage.settled();
  await stage.until(() => {
    if (emittedEvents.length === 0) throw new Error('Nobody listens yet');
  });
  sendToApp('notification', { message: 'New order for:Bag,Shoe' });
}

/** No new order, but news about an old one and about the store. */
async function withNews(stage: Stage) {
  const at = '2026-11-21T09:05:07.000Z';
  stage.answers(UNREAD, 200, {
    success: true,
    result: [],
    news: [
      {
        id: 'e2',
        type: 'SellerSuspended',
        message: 'Your store is suspended. Nobody sees your goods; paid orders go on.',
        created_at: at,
        transaction_id: null,
        items: [],
      },
      {
        id: 'e1',
        type: 'SellerShareReleased',
        message: '₦20,000 released to you: Canvas sneakers',
        created_at: at,
        transaction_id: 't1',
        items: notice.items,
      },
    ],
    position: 'log.9',
  });
}

const subscribe = vi.fn();

/** A browser that answers the prompt; `known`: whether the market has its subscription already. */
function withPush(permission: 'granted' | 'denied', known: boolean) {
  return async (stage: Stage) => {
    const subscription = {
      toJSON: () => ({ endpoint: 'https://push.test/1', keys: { p256dh: 'p', auth: 'a' } }),
    };
    const registration = { pushManager: { getSubscription: async () => null, subscribe } };
    subscribe.mockReset().mockResolvedValue(subscription);
    vi.stubGlobal('PushManager', class {});
    vi.stubGlobal('Notification', {
      permission: 'default',
      requestPermission: async () => permission,
    });
    Object.defineProperty(navigator, 'serviceWorker', {
      configurable: true,
      value: {
        ready: Promise.resolve(registration),
        getRegistration: async () => registration,
      },
    });
    stage.answers('POST /subscription/check-subscription', 200, { exists: known });
    await stage.press('Show new orders on this device');
  };
}

export const notifications: readonly Row[] = [
  page('its title', 'Notifications', 'heading'),
  page('the back arrow pressed', '/dashboard', 'address', press('Back')),
  page('as it opens', 'clear all', 'button'),
  page('an order', 'Quantity 2'),
  page('an order, date and time in UTC', /^21-11-2026 09:05:07/),
  page('an order, its first image', 1, count('.NotificationsPage-list img')),
  page('nothing unread', 'Nothing Ordered!!!', 'heading', (stage) =>
    stage.answers(UNREAD, 200, { success: true, result: [], news: [], position: null }),
  ),
  page('word of money', '₦20,000 released to you: Canvas sneakers', 'link', withNews),
  page('word of money, what kind', 'Money released', 'text', withNews),
  page('word of money, pressed', '/dashboard/orders/t1', 'address', async (stage) => {
    await withNews(stage);
    await stage.press('₦20,000 released to you: Canvas sneakers');
  }),
  page('word of the store', /^Your store is suspended/, 'text', withNews),
  page('word of money alone: the empty state', 'Nothing Ordered!!!', 'absent', withNews),
  page('the bell counts orders and word of money', 'Notifications, 2 unread', 'link', withNews),

  page(
    'clear all pressed',
    's7',
    (stage) => stage.callsTo(CLEAR)[0]?.params.userId,
    press('clear all'),
  ),
  page('cleared: the unread are read again', 2, callCount(UNREAD), press('clear all')),
  page('clear all, and nothing there', 'No notifications to clear', 'toast', async (stage) => {
    stage.answers(CLEAR, 404, failure('No notifications to clear'));
    await stage.press('clear all');
  }),
  page('the clear fails: what was ordered stays', 'Quantity 2', 'text', async (stage) => {
    stage.answers(CLEAR, 500, failure());
    await stage.press('clear all');
    await stage.until(() => stage.callsTo(UNREAD).length > 1 || Promise.reject());
  }),
  page('the clear fails otherwise: only logged', 'The market said no', 'absent', async (stage) => {
    stage.answers(CLEAR, 500, failure());
    await stage.press('clear all');
  }),

  anywhere('signed in, said over the line', 'register s7', () => emittedEvents[0]?.join(' ')),
  anywhere('a notification comes', 'New order for:Bag,Shoe', 'toast', hear),
  at('/dashboard', asSeller)(
    'reads of the unread after a notification',
    true,
    (stage) => stage.callsTo(UNREAD).length >= 2,
    hear,
  ),

  at('/dashboard', asSeller)(
    'held for you after a notification',
    '₦20,000',
    'text',
    async (stage) => {
      stage.answers('GET /v1/user/earnings', 200, {
        success: true,
        result: { held: 0, payable: 0, paid_out: 0 },
      });
      await stage.sees('₦0');
      stage.answers('GET /v1/user/earnings', 200, {
        success: true,
        result: { held: 20_000, payable: 0, paid_out: 0 },
      });
      await hear(stage);
    },
  ),

  page(
    'push allowed: the key it subscribes with',
    'BPublicKey',
    () => String(subscribe.mock.calls[0]?.[0]?.applicationServerKey),
    withPush('granted', false),
  ),
  page(
    'push allowed: what is asked first',
    's7',
    sentValue('POST /subscription/check-subscription', 'sellerId'),
    withPush('granted', false),
  ),
  page(
    'push allowed: registered with',
    's7',
    sentValue('POST /subscription', 'sellerId'),
    withPush('granted', false),
  ),
  page(
    'push allowed: the record sent',
    '{"endpoint":"https://push.test/1","expirationTime":null,"keys":{"p256dh":"p","auth":"a"}}',
    sentValue('POST /subscription', 'newSubscription'),
    withPush('granted', false),
  ),
  page(
    'push denied: nothing is subscribed',
    0,
    () => subscribe.mock.calls.length,
    withPush('denied', false),
  ),
];
