import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { useAfterPaint } from './use-browser.js';

/** Parts that stand over or below what a page shows first: nothing until the browser has painted that. */
export function AfterPaint({ children }: { readonly children: ReactNode }) {
  const painted = useAfterPaint();
  return painted && <Suspense>{children}</Suspense>;
}

/** A part that the page can do without. If its code does not load, nothing stands in its place. */
export function optional<Props>(load: () => Promise<{ readonly default: ComponentType<Props> }>) {
  return lazy(async (): Promise<{ readonly default: ComponentType<Props> }> => {
    try {
      return await load();
    } catch (error) {
      console.error(error);
      return { default: () => null };
    }
  });
}
