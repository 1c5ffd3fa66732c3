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
