const RELOADED = 'oja-reloaded';
/** A second failure within this many ms is not a deploy but something broken. */
const ONCE_WITHIN_MS = 60_000;

/**
 * After a deploy a part of the old app may be gone. Reloading gets the new one, at the address that was on its way;
 * only once, so that a part that is really missing ends in the error page and not in a loop.
 * @param onItsWay the address of the navigation that waits for its parts, if one does
 */
export function reloadWhenChunkGone(onItsWay: () => string | null): void {
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
    const next = onItsWay();
    if (next === null) location.reload();
    else location.assign(next);
  });
}
