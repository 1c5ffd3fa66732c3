import {
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
} from 'react';

function subscribe(changed: () => void): () => void {
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}

/** Whether the browser reports a network. True on the server. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
}

/** Whether a media query matches; re-renders when that changes. Undefined on the server and during hydration. */
export function useMedia(query: string): boolean | undefined {
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    [query],
  );
  return useSyncExternalStore<boolean | undefined>(
    subscribe,
    () => matchMedia(query).matches,
    () => undefined,
  );
}

/** Whether the person asked their system for reduced motion. */
export function useReducedMotion(): boolean {
  return useMedia('(prefers-reduced-motion: reduce)') === true;
}

function onScroll(changed: () => void): () => void {
  addEventListener('scroll', changed, { passive: true });
  return () => removeEventListener('scroll', changed);
}

/** Whether the page is scrolled by at least `px`. */
export function useScrolled(px: number): boolean {
  return useSyncExternalStore(
    onScroll,
    useCallback(() => window.scrollY >= px, [px]),
    () => false,
  );
}

/** False in the first render, true once the browser has painted and is idle, after 2 s at most. */
export function useAfterPaint(): boolean {
  const [painted, setPainted] = useState(false);
  useEffect(() => {
    if (typeof requestIdleCallback === 'function') {
      const handle = requestIdleCallback(() => setPainted(true), { timeout: 2_000 });
      return () => cancelIdleCallback(handle);
    }
    const timer = setTimeout(() => setPainted(true), 200);
    return () => clearTimeout(timer);
  }, []);
  return painted;
}

/** While open, Escape, a press outside or focus outside calls `dismiss`. */
export function useDismissOnLeave(
  box: RefObject<HTMLElement | null>,
  open: boolean,
  dismiss: (byKey: boolean) => void,
): void {
  const onLeave = useEffectEvent(dismiss);
  useEffect(() => {
    if (!open) return;
    const outside = ({ target }: Event) => {
      if (target instanceof Node && !box.current?.contains(target)) onLeave(false);
    };
    const key = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onLeave(true);
    };
    document.addEventListener('pointerdown', outside);
    document.addEventListener('focusin', outside);
    document.addEventListener('keydown', key);
    return () => {
      document.removeEventListener('pointerdown', outside);
      document.removeEventListener('focusin', outside);
      document.removeEventListener('keydown', key);
    };
  }, [box, open]);
}
