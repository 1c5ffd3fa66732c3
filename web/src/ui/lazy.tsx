import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import { toast } from './toast.js';
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

/**
 * A dialog whose code is loaded when a press opens it. If it does not come, a toast says so and the page stays as it
 * is. The next press asks again; code that a deploy has replaced comes with a reload.
 */
export function useLazyDialog<Props>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
) {
  /** The dialog while it is open. */
  const [Opened, setOpened] = useState<ComponentType<Props>>();
  const open = () => {
    load().then(
      ({ default: Dialog }) => setOpened(() => Dialog),
      // The browser itself names the file in its console.
      () => toast.error('That did not load. Try again.'),
    );
  };
  return { Opened, open, close: () => setOpened(undefined) };
}
