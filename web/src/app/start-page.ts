import { matchRoutes, type RouteMatch, type RouteObject } from 'react-router-dom';

/**
 * Gives the entry of the history that a page is loaded into a name of its own. The router calls each first one
 * 'default', so that a page loaded anew, as on the way back from the payment provider, would begin where the one
 * before it had been scrolled to. A reload, and coming back, find the name again.
 */
export function nameHistoryEntry({ history }: Pick<Window, 'history'>): void {
  const state: unknown = history.state;
  const kept = typeof state === 'object' ? state : null;
  if (kept !== null && 'key' in kept) return;
  history.replaceState({ ...kept, key: Math.random().toString(36).slice(2, 10) }, '');
}

/** Registers the worker that keeps shell, catalogue and cart usable offline. A browser that refuses goes on without. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  // A page that the server rendered may be whole before its scripts get here: no 'load' would come any more.
  if (document.readyState === 'complete') register();
  else addEventListener('load', register, { once: true });
}

function register(): void {
  navigator.serviceWorker.register('/service-worker.js').catch(console.error);
}

/**
 * Pictures that did not load leave their box plain instead of torn (see base.css), and are asked for once more when
 * the network is back. One listener for all: errors of pictures do not bubble, but they can be caught on the way down.
 */
export function mendPictures(page: Document, window: Window): void {
  const mark = (broken: boolean) => (event: Event) => {
    if (event.target instanceof HTMLImageElement)
      event.target.toggleAttribute('data-broken', broken);
  };
  page.addEventListener('error', mark(true), true);
  page.addEventListener('load', mark(false), true);
  window.addEventListener('online', () => {
    for (const picture of page.querySelectorAll('img[data-broken]'))
      picture.setAttribute('src', picture.getAttribute('src') ?? '');
  });
}

/**
 * Loads the code of one address's page and puts it into its routes: a router made with them, and told that the page
 * stands (`hydrationData`), begins where the server ended, and leaves the page where it has been scrolled to meanwhile.
 * @returns false when a part did not come; the routes then load it in their own way, and say so if it fails again
 */
export async function loadPage(routes: RouteObject[], pathname: string): Promise<boolean> {
  const found = matchRoutes(routes, pathname) ?? [];
  const load = async ({ route }: RouteMatch) => {
    const code = typeof route.lazy === 'function' ? await route.lazy() : {};
    return { route, code };
  };
  try {
    const loaded = await Promise.all(found.map(load));
    // What a loader asks for ahead of the page has come with the page.
    for (const { route, code } of loaded)
      Object.assign(route, code, { lazy: undefined, loader: undefined });
    return true;
  } catch (error) {
    console.error(error);
    return false;
  }
}

const RELOADED = 'oja-reloaded';
/** A second failure within this many ms is not a deploy but something broken. */
const ONCE_WITHIN_MS = 60_000;
/** Small, at every market, and fetched past the service worker, which answers reads alone. */
const SOMETHING = '/robots.txt';

let looking: Promise<void> = Promise.resolve();

/** Resolves once nothing more is to be hoped for a part that did not come; a fresh load leaves the page before. */
export const lookedForPart = (): Promise<void> => looking;

/**
 * After a deploy a part of the old app may be gone. Reloading gets the new one, at the address that was on its way:
 * when the market answers at all, and only once, so that a part that is really missing ends in words and not in a loop.
 * @param onItsWay the address of the navigation that waits for its parts, if one does
 */
export function reloadWhenChunkGone(onItsWay: () => string | null): void {
  addEventListener('vite:preloadError', () => {
    const next = onItsWay();
    looking = reloadOnce(() => {
      if (next === null) location.reload();
      else location.assign(next);
    });
  });
}

async function reloadOnce(reload: () => void): Promise<void> {
  if (!(await answers())) return;
  try {
    const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
    if (Date.now() - last < ONCE_WITHIN_MS) return;
    sessionStorage.setItem(RELOADED, String(Date.now()));
  } catch {
    // Without storage a loop could not be noticed.
    return;
  }
  reload();
  // The page goes away.
  await new Promise(() => {});
}

async function answers(): Promise<boolean> {
  try {
    return (await fetch(SOMETHING, { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}
