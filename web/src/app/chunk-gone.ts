const RELOADED = 'oja-reloaded';
/** A second failure within this many ms is not a deploy but something broken. */
const ONCE_WITHIN_MS = 60_000;

/**
 * After a deploy a part of the old app may be gone. Reloading gets the new one; only once, so that a part that is
 * really missing ends in the error page and not in a loop.
 */
export function reloadWhenChunkGone(): void {
  addEventListener('vite:preloadError', (event) => {
    try {
      const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
      if (Date.now() - last < ONCE_WITHIN_MS || !navigator.onLine) return;
      sessionStorage.setItem(RELOADED, String(Date.now()));
    } catch {
      // Without storage a loop could not be noticed.
      return;
    }
    event.preventDefault();
    location.reload();
  });
}
