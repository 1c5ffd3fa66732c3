import { matchRoutes, type RouteMatch, type RouteObject } from 'react-router-dom';
import { PROBE_PATH, RELOAD_COOLDOWN_MS, RELOADED_AT_KEY } from '../reloading.js';
import { safeSessionStorage } from '../stores/safe-storage.js';

/**
 * Gives the history entry of the first page a unique key. The router names every first entry 'default', so a
 * freshly loaded page (as on the way back from the payment provider) would start at the scroll position of
 * the one before. A reload or Back finds the key again.
 */
export function ensureHistoryEntryKey({ history }: Pick<Window, 'history'>): void {
  const state: unknown = history.state;
  const kept = typeof state === 'object' ? state : null;
  if (kept !== null && 'key' in kept) return;
  history.replaceState({ ...kept, key: Math.random().toString(36).slice(2, 10) }, '');
}

/** Registers the service worker, which keeps the app usable offline. The app also works without it. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  // A rendered page may be complete before its scripts run; no 'load' event would follow.
  if (document.readyState === 'complete') registerNow();
  else addEventListener('load', registerNow, { once: true });
}

function registerNow(): void {
  navigator.serviceWorker.register('/service-worker.js').catch(console.error);
}

/**
 * Marks images that failed to load, so that their box stays plain (see base.css), and requests them again
 * when the network is back. One capturing listener serves all: `error` and `load` events of images do not
 * bubble. Those of a rendered page may have failed before any script ran.
 */
export function retryBrokenImages(page: Document, window: Window): void {
  const mark = (broken: boolean) => (event: Event) => {
    if (event.target instanceof HTMLImageElement)
      event.target.toggleAttribute('data-broken', broken);
  };
  for (const picture of page.querySelectorAll<HTMLImageElement>('img[src]'))
    picture.toggleAttribute('data-broken', picture.complete && picture.naturalWidth === 0);
  page.addEventListener('error', mark(true), true);
  page.addEventListener('load', mark(false), true);
  window.addEventListener('online', () => {
    for (const picture of page.querySelectorAll('img[data-broken]'))
      picture.setAttribute('src', picture.getAttribute('src') ?? '');
  });
}

/**
 * Loads the code of one address's page and puts it into its routes. A router that is then created with
 * `hydrationData` hydrates the page at once, and keeps the scroll position of the meantime.
 * @returns false when a chunk failed to load; the routes then load it themselves and show the error if it
 * fails again
 */
export async function preloadPage(routes: RouteObject[], pathname: string): Promise<boolean> {
  const found = matchRoutes(routes, pathname) ?? [];
  const load = async ({ route }: RouteMatch) => {
    const code = typeof route.lazy === 'function' ? await route.lazy() : {};
    return { route, code };
  };
  try {
    const loaded = await Promise.all(found.map(load));
    // What the loader would prefetch came with the rendered page.
    for (const { route, code } of loaded)
      Object.assign(route, code, { lazy: undefined, loader: undefined });
    return true;
  } catch (error) {
    console.error(error);
    return false;
  }
}

let pendingReload: Promise<void> = Promise.resolve();

/**
 * After a deploy, chunks of the old app may be gone. Reloads the page to get the new app, for a page that cannot be
 * shown without its chunk. It reloads only when the market answers, and only once, so that a chunk that is really
 * missing ends in an error page and not in a loop.
 * @returns resolves when no reload follows; never resolves when the page reloads
 */
export function reloadForMissingChunk(): Promise<void> {
  // One after the other: a second look meanwhile would only find that the page is being reloaded.
  pendingReload = pendingReload.then(reloadOnce);
  return pendingReload;
}

async function reloadOnce(): Promise<void> {
  if (!(await isServerReachable())) return;
  const last = Number(safeSessionStorage.getItem(RELOADED_AT_KEY) ?? 0);
  if (Date.now() - last < RELOAD_COOLDOWN_MS) return;
  // Without storage a reload loop could not be detected.
  if (!safeSessionStorage.setItem(RELOADED_AT_KEY, String(Date.now()))) return;
  location.reload();
  // Never resolves: the page is about to unload.
  await new Promise(() => {});
}

async function isServerReachable(): Promise<boolean> {
  try {
    return (await fetch(PROBE_PATH, { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}
