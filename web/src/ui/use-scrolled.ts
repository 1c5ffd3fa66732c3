import { useCallback, useSyncExternalStore } from 'react';

function subscribe(changed: () => void): () => void {
  addEventListener('scroll', changed, { passive: true });
  return () => removeEventListener('scroll', changed);
}

/** Whether the page is scrolled by at least so many px. */
export function useScrolled(px: number): boolean {
  return useSyncExternalStore(
    subscribe,
    useCallback(() => window.scrollY >= px, [px]),
    () => false,
  );
}
