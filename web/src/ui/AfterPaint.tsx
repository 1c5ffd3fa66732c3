import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { useAfterPaint } from './use-browser.js';

/** Parts that stand over or below what a page shows first: nothing until the browser has painted that. */
export function AfterPaint({ children }: { readonly children: ReactNode }) {
  const painted = useAfterPaint();
  return painted && <Suspense>{children}</Suspense>;
}

/** How long to wait before asking again for code that did not load. Each further wait is twice as long. In ms. */
const RETRY_MS = 5_000;

/** Loads code that the page can do without, asking again until it comes. */
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
 * Loads code that the page can do without, and begins with it unless that was ended meanwhile: for an effect.
 * @param begin returns how what was begun ends
 * @returns ends it
 */
export function loadAndRun<T>(
  load: () => Promise<T>,
  begin: (loaded: T) => () => void,
): () => void {
  let over = false;
  let end = () => {};
  void loadWithRetries(load).then((loaded) => {
    if (!over) end = begin(loaded);
  });
  return () => {
    over = true;
    end();
  };
}

/** A part that the page can do without. Until its code has loaded, nothing stands in its place. */
export const lazyOptional = <Props,>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
) => lazy(() => loadWithRetries(load));
