import { type ReactNode, useEffect } from 'react';
import { takeLostFocus } from './use-route-focus.js';

interface ScreenProps {
  /** In the tab and in the history, before the market's name. */
  readonly title: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** The main part of every page. Its first heading gets the focus when a route changes. */
export function Screen({ title, className, children }: ScreenProps) {
  useEffect(() => {
    document.title = `${title} | Oja`;
  }, [title]);
  useEffect(takeLostFocus, []);
  return (
    <main id="main" tabIndex={-1} className={className}>
      {children}
    </main>
  );
}
