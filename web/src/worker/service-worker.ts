import { pagePaths } from '@oja/contracts/pages';
import { ExpirationPlugin } from 'workbox-expiration';
import { cleanupOutdatedCaches, type PrecacheEntry, precacheAndRoute } from 'workbox-precaching';
import { registerRoute, setCatchHandler } from 'workbox-routing';
import { CacheFirst, NetworkFirst } from 'workbox-strategies';
import { type Change, renewPush, wordsOf } from './push.js';
import { isCatalogue, isPicture } from './what-is-kept.js';

declare const self: ServiceWorkerGlobalScope & {
  /** Put in by the build: what the storefront needs to start without a network. */
  readonly __WB_MANIFEST: readonly (PrecacheEntry | string)[];
};

/** Pages older than this wait are answered as they were last seen. In seconds. */
const PAGE_WAIT_S = 3;
const DAY_S = 86_400;
/** A logout leaves alone what begins with `shell`; what people saw begins with `oja-`. */
const PAGES = 'oja-pages';
const SHELL = 'shell';
/** The app without a page in it. */
const SHELL_PAGE = '/shell.html';
const NOTICES = pagePaths.notifications;

cleanupOutdatedCaches();
precacheAndRoute([...self.__WB_MANIFEST]);

const pages = new NetworkFirst({
  cacheName: PAGES,
  networkTimeoutSeconds: PAGE_WAIT_S,
  plugins: [new ExpirationPlugin({ maxEntries: 30 })],
});
registerRoute(({ request }) => request.mode === 'navigate', pages);

/** Parts of the app that were not fetched ahead; those of the build before stay, for tabs that still run it. */
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
  new CacheFirst({
    cacheName: 'shell-assets',
    plugins: [new ExpirationPlugin({ maxEntries: 120, purgeOnQuotaError: true })],
  }),
);

/** The catalogue as it was last seen, only when the network fails: what is fresh is never held back. */
registerRoute(
  ({ url, request, sameOrigin }) => sameOrigin && isCatalogue(url, request),
  new NetworkFirst({
    cacheName: 'oja-catalogue',
    plugins: [
      new ExpirationPlugin({ maxEntries: 80, maxAgeSeconds: 7 * DAY_S, purgeOnQuotaError: true }),
    ],
  }),
);

registerRoute(
  ({ url }) => isPicture(url),
  new CacheFirst({
    cacheName: 'oja-pictures',
    plugins: [
      new ExpirationPlugin({ maxEntries: 200, maxAgeSeconds: 30 * DAY_S, purgeOnQuotaError: true }),
    ],
  }),
);

/** A page never seen before is the shell: the app finds the rest by the address. */
setCatchHandler(async ({ request }) => {
  const shell =
    request.mode === 'navigate' ? await caches.match(SHELL_PAGE, { cacheName: SHELL }) : undefined;
  return shell ?? Response.error();
});

/** Fetched anew with each build, whose parts it names. */
async function keep(cacheName: string, path: string): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.add(path);
}

/** Shows a push message; a browser takes the right away from a worker that stays silent. */
function showPush(
  registration: ServiceWorkerRegistration,
  data: PushMessageData | null,
): Promise<void> {
  return registration.showNotification('Oja', {
    body: wordsOf(data),
    icon: '/icons/192.png',
    badge: '/icons/192.png',
    data: NOTICES,
  });
}

/** Brings the tab with the notices forward, else any tab of the market and that one to the notices, or opens one. */
async function openNotices(clients: Clients): Promise<void> {
  const tabs = await clients.matchAll({ type: 'window' });
  const there = tabs.find(({ url }) => new URL(url).pathname === NOTICES);
  if (there !== undefined) {
    await there.focus();
    return;
  }
  const [open] = tabs;
  await open?.focus();
  // A tab that was just closed cannot be led.
  const led = await open?.navigate(NOTICES).catch(() => null);
  if (led == null) await clients.openWindow(NOTICES);
}

self.addEventListener('install', (event) => {
  void self.skipWaiting();
  event.waitUntil(Promise.all([keep(SHELL, SHELL_PAGE), keep(PAGES, '/')]));
});
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('push', (event) => event.waitUntil(showPush(self.registration, event.data)));
self.addEventListener('pushsubscriptionchange', (event) => {
  // A browser that says neither what went nor what came gives undefined.
  const { oldSubscription = null, newSubscription = null }: Partial<Change> = event;
  event.waitUntil(renewPush(self.registration, { oldSubscription, newSubscription }));
});
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openNotices(self.clients));
});
