import { pagePaths } from '@oja/contracts/pages';
import { ExpirationPlugin } from 'workbox-expiration';
import { cleanupOutdatedCaches, type PrecacheEntry, precacheAndRoute } from 'workbox-precaching';
import { registerRoute, setCatchHandler } from 'workbox-routing';
import { CacheFirst, NetworkFirst } from 'workbox-strategies';
import { isPicture, isPublicRead } from './cacheable.js';
import { pushText, renewPush, type SubscriptionChange } from './push.js';

declare const self: ServiceWorkerGlobalScope & {
  /** Injected by the build: the files that the storefront needs to start offline. */
  readonly __WB_MANIFEST: readonly (PrecacheEntry | string)[];
};

/** How long to wait for the network before a page is answered from the cache. In seconds. */
const PAGE_WAIT_S = 3;
const DAY_S = 86_400;
/** A logout deletes caches named `oja-…`, which hold what people saw, and keeps those named `shell…`. */
const PAGES = 'oja-pages';
const SHELL = 'shell';
/** The app without a page in it. */
const SHELL_PAGE = '/shell.html';
const NOTICES = pagePaths.notifications;

const shellFiles = [...self.__WB_MANIFEST];
cleanupOutdatedCaches();
precacheAndRoute(shellFiles);

const pages = new NetworkFirst({
  cacheName: PAGES,
  networkTimeoutSeconds: PAGE_WAIT_S,
  plugins: [new ExpirationPlugin({ maxEntries: 30 })],
});
registerRoute(({ request }) => request.mode === 'navigate', pages);

/** Chunks that were not precached. Those of the previous build stay, for tabs that still run it. */
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
  new CacheFirst({
    cacheName: 'shell-assets',
    plugins: [new ExpirationPlugin({ maxEntries: 120, purgeOnQuotaError: true })],
  }),
);

/** What everybody may read, as last seen. Used only when the network fails: fresh answers are never held back. */
registerRoute(
  ({ url, request, sameOrigin }) => sameOrigin && isPublicRead(url, request),
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

/** A page that was never seen is answered with the shell: the app renders it from the address. */
setCatchHandler(async ({ request }) => {
  const shell =
    request.mode === 'navigate' ? await caches.match(SHELL_PAGE, { cacheName: SHELL }) : undefined;
  return shell ?? Response.error();
});

async function addToCache(cacheName: string, path: string): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.add(path);
}

/** The app's first script, which every page of this build names, and no page of another build. */
const entryPath = shellFiles
  .map((file) => (typeof file === 'string' ? file : file.url))
  .find((path) => path.startsWith('assets/index-'));

/**
 * Deletes the pages of other builds: their scripts went with the worker before, so without a network they would
 * never come alive. The shell answers in their place.
 */
async function dropOtherBuilds(): Promise<void> {
  const kept = await caches.open(PAGES);
  const drop = async (request: Request) => {
    const page = await (await kept.match(request))?.text();
    if (entryPath === undefined || !page?.includes(entryPath)) await kept.delete(request);
  };
  await Promise.all((await kept.keys()).map(drop));
}

/** Shows a push message. Browsers withdraw the permission from a worker that shows nothing. */
function showPush(
  registration: ServiceWorkerRegistration,
  data: PushMessageData | null,
): Promise<void> {
  return registration.showNotification('Oja', {
    body: pushText(data),
    icon: '/icons/192.png',
    badge: '/icons/192.png',
    data: NOTICES,
  });
}

/** Focuses a tab that shows the notices, else navigates any tab of the market there, else opens a tab. */
async function openNotices(clients: Clients): Promise<void> {
  const tabs = await clients.matchAll({ type: 'window' });
  const there = tabs.find(({ url }) => new URL(url).pathname === NOTICES);
  if (there !== undefined) {
    await there.focus();
    return;
  }
  const [open] = tabs;
  await open?.focus();
  // A tab that was just closed cannot be navigated.
  const navigated = await open?.navigate(NOTICES).catch(() => null);
  if (navigated == null) await clients.openWindow(NOTICES);
}

self.addEventListener('install', (event) => {
  void self.skipWaiting();
  // Both name the build's chunks, and are fetched anew with each build.
  event.waitUntil(Promise.all([addToCache(SHELL, SHELL_PAGE), addToCache(PAGES, '/')]));
});
self.addEventListener('activate', (event) =>
  event.waitUntil(dropOtherBuilds().finally(() => self.clients.claim())),
);
self.addEventListener('push', (event) => event.waitUntil(showPush(self.registration, event.data)));
self.addEventListener('pushsubscriptionchange', (event) => {
  // Browsers that report neither subscription leave the fields undefined.
  const { oldSubscription = null, newSubscription = null }: Partial<SubscriptionChange> = event;
  event.waitUntil(renewPush(self.registration, { oldSubscription, newSubscription }));
});
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openNotices(self.clients));
});
