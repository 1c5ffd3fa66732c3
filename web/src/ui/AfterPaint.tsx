import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { useAfterPaint } from './use-browser.js';

/** Renders its children after the first paint, for parts over or below what a page shows first. */
export function AfterPaint({ children }: { readonly children: ReactNode }) {
  const painted = useAfterPaint();
  return painted && <Suspense>{children}</Suspense>;
}

/** How long to wait before asking again for code that did not load. Each further wait is twice as long. In ms. */
const RETRY_MS = 5_000;

/** Loads code that the page can do without; retries until it succeeds. */
async function loadWithRetries<T>(load: () => Promise<T>): Promise<T> {
  for (let wait = RETRY_MS; ; wait *= 2)
    try {
      return await load();
    } catch (error) {
      console.error(error);
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
}

/**
 * For an effect: loads code that the page can do without, then runs `begin`, unless the effect was cleaned up meanwhile.
 * @param begin returns its own cleanup function
 * @returns the cleanup function of the effect
 */
export function loadAndRun<T>(
  load: () => Promise<T>,
  begin: (loaded: T) => () => void,
): () => void {
  let isCancelled = false;
  let end = () => {};
  void loadWithRetries(load).then((loaded) => {
    if (!isCancelled) end = begin(loaded);
  });
  return () => {
    isCancelled = true;
    end();
  };
}

/** `lazy` for a part that the page can do without: it retries, and shows nothing until its code has loaded. */
export const lazyOptional = <Props,>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
) => lazy(() => loadWithRetries(load));
