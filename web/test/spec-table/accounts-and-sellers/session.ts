import type { Profile } from '@oja/contracts';
import { changeAuthStorage } from '../../../src/stores/persistent-store.js';
import { settings } from '../answers.js';
import { ifeanyi, personOf, subAdmin } from '../people.js';
import { at, type Row } from '../row.js';
import { emittedEvents, sendToApp } from '../socket.js';
import type { Stage } from '../stage.js';
import { asSeller, asSubAdmin, attribute, callCount, count, failure, press } from '../steps.js';

const stranger = (screen: string) => at(screen)('nobody is signed in', '/login', 'address');

const suspended = (stage: Stage) => {
  stage.signIn('seller');
  changeAuthStorage(({ user }) => ({ user: user && { ...user, is_suspended: 1 } }));
  stage.answers('GET /v1/user/single-user', 200, {
    success: true,
    result: [{ ...ifeanyi, is_suspended: 1 }],
  });
};
const STRIP = 'Your store is suspended.';

/** Changes the person's rights from outside while a page is open. */
const becomes = (profile: Profile) => async (stage: Stage) => {
  await stage.settled();
  await stage.until(() => {
    if (emittedEvents.length === 0) throw new Error('Nobody listens yet');
  });
  stage.answers('GET /v1/user/single-user', 200, { success: true, result: [profile] });
  sendToApp('rights', undefined);
};
const withoutSupport = (stage: Stage) =>
  stage.answers('GET /v1/settings', 200, {
    ...settings,
    support: { email: '', phone: '', address: '' },
  });

const suspension: readonly Row[] = [
  ...['/dashboard', '/dashboard/orders', '/upload-product', '/single-product/5/p4'].map((screen) =>
    at(screen, suspended)('the seller is suspended', STRIP),
  ),
  at('/dashboard', suspended)(
    'suspended: the ways to change a product',
    0,
    (stage) => stage.find('.OwnGoods-removeButton, .Switch-switch:not([aria-disabled])').length,
  ),
  ...(
    [
      ['/dashboard', 'Your goods'],
      ['/dashboard/orders', 'Orders'],
      ['/single-product/5/p4', 'Who did what, when'],
    ] as const
  ).map(([screen, words]) =>
    at(screen, suspended)(
      'suspended: the ways to upload',
      0,
      count('a[href="/upload-product"]'),
      (stage) => stage.sees(words, 'heading'),
    ),
  ),
  at('/single-product/5/p4/update', suspended)(
    'suspended: what was chosen cannot be sent',
    'update Product',
    'disabled',
    press(/^Description/),
  ),
  at('/dashboard', suspended)(
    'suspended: what it means, why, and whom to write to',
    'Your store is suspended. Your goods are out of the market and nothing can be changed. ' +
      'Orders that were paid go on, and so does your money. Oja suspends stores for complaints ' +
      'and broken rules. Ask why, and how it ends: help@oja.test',
  ),
  at('/dashboard', suspended)(
    'suspended: the way to write',
    'mailto:help@oja.test',
    attribute('.SuspendedStrip-strip a', 'href'),
  ),
  at('/dashboard', suspended)(
    'suspended, where no address of the support is known',
    /broken rules\. Ask the support why\.$/,
    'text',
    withoutSupport,
  ),
  at('/dashboard', asSeller)(
    'suspended while on the page',
    STRIP,
    'text',
    becomes({ ...ifeanyi, is_suspended: 1 }),
  ),
  at('/dashboard', asSeller)('not suspended', STRIP, 'absent'),
];

const rights: readonly Row[] = [
  at('/dashboard', asSeller)(
    'promoted while on the page',
    'To Admin',
    'link',
    becomes({ ...ifeanyi, is_subAdmin: 1 }),
  ),
  at('/dashboard', asSeller)('neither promoted nor an admin', 'To Admin', 'absent'),
  ...['/admin-dashboard', '/admin-dashboard/sellers', '/admin-dashboard/admins'].map((screen) =>
    at(screen, asSubAdmin)(
      'demoted while on an admin page',
      '/dashboard',
      'address',
      becomes({ ...subAdmin, is_subAdmin: 0 }),
    ),
  ),
  at('/dashboard', asSubAdmin)(
    'suspended while on the page',
    'To Admin',
    'absent',
    becomes({ ...subAdmin, is_suspended: 1 }),
  ),
  at('/admin-dashboard', asSubAdmin)(
    'suspended while on an admin page',
    '/dashboard',
    'address',
    becomes({ ...subAdmin, is_suspended: 1 }),
  ),
];

export const session: readonly Row[] = [
  ...[
    '/upload-product',
    '/dashboard',
    '/dashboard/orders',
    '/dashboard/notifications',
    '/dashboard/profile',
    '/single-product/5/p4/update',
    '/admin-dashboard',
    '/admin-dashboard/sellers',
    '/admin-dashboard/admins',
    '/admin-dashboard/t1',
  ].map(stranger),
  at('/dashboard')('while it is asked who is there', 'Checking who you are', 'text', (stage) => {
    stage.holds('GET /v1/refresh-token');
    stage.remember(personOf('seller'));
  }),
  at('/dashboard')('restored on load', 'All Products', 'heading', (stage) =>
    stage.remember(personOf('seller')),
  ),
  at('/dashboard')(
    'restored, the token it asks with',
    'Bearer fresh',
    (stage) => stage.callsTo('GET /v1/user/products')[0]?.headers.get('Authorization') ?? '',
    (stage) => stage.remember(personOf('seller')),
  ),
  at('/dashboard')('the session is over', '/login', 'address', (stage) => {
    stage.answers('GET /v1/refresh-token', 401, failure());
    stage.remember(personOf('seller'));
  }),
  at('/dashboard', asSeller)('in the dashboard layout', 1, count('nav[aria-label=Dashboard]')),
  at('/upload-product', asSeller)('in the dashboard layout', 1, count('nav[aria-label=Dashboard]')),
  at('/dashboard/profile', asSeller)(
    'in the dashboard layout',
    1,
    count('nav[aria-label=Dashboard]'),
  ),
  at('/dashboard', asSeller)(
    'a call is answered 403: the token is refreshed',
    1,
    callCount('GET /v1/refresh-token'),
    (stage) => stage.answersOnce('GET /v1/user/products', 403, failure()),
  ),
  at('/dashboard', asSeller)(
    'a call is answered 403: it is made again with the new token',
    'Bearer token,Bearer fresh',
    (stage) =>
      stage
        .callsTo('GET /v1/user/products')
        .map(({ headers }) => headers.get('Authorization'))
        .join(),
    (stage) => stage.answersOnce('GET /v1/user/products', 403, failure()),
  ),
  at('/dashboard', asSeller)(
    'a call is answered 403 for good: it is tried once more',
    2,
    callCount('GET /v1/user/products'),
    (stage) => stage.answers('GET /v1/user/products', 403, failure()),
  ),
  at('/dashboard', asSeller)(
    'a call is answered 403 and the refresh fails',
    'That did not load',
    'heading',
    (stage) => {
      stage.answers('GET /v1/user/products', 403, failure());
      stage.answers('GET /v1/refresh-token', 500, failure());
    },
  ),
  ...suspension,
  ...rights,
];
