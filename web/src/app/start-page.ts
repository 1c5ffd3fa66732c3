import type { createBrowserRouter } from 'react-router-dom';

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

/** Under what the router keeps how far each entry of the history was scrolled, by the entry's name. */
const SCROLLED = 'react-router-scroll-positions';

/** A page that the server rendered may have been scrolled before its scripts came: the router is told to leave it there. */
export function keepScroll({ history, scrollY }: Pick<Window, 'history' | 'scrollY'>): void {
  if (scrollY === 0) return;
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(SCROLLED) ?? '{}');
    const own = { [history.state.key]: scrollY };
    sessionStorage.setItem(SCROLLED, JSON.stringify(Object.assign({}, kept, own)));
  } catch {
    // A browser that keeps nothing begins at the top.
  }
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

type Router = ReturnType<typeof createBrowserRouter>;

/** Resolves once the page of the first address has its code: only then can it be rendered as the server did. */
export function whenFound(router: Router): Promise<void> {
  return new Promise((resolve) => {
    if (router.state.initialized) return resolve();
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return;
      stop();
      resolve();
    });
  });
}
