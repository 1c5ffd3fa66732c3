import { type ReactNode, useEffect } from 'react';
import { recoverLostFocus } from '../ui/focus.js';

interface ScreenProps {
  /** The title in the tab and in the history, without the market's name. */
  readonly title: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** The main part of every page. After a route change its first heading gets the focus. */
export function Screen({ title, className, children }: ScreenProps) {
  useEffect(() => {
    document.title = `${title} | Oja`;
  }, [title]);
  useEffect(recoverLostFocus, []);
  return (
    <main id="main" tabIndex={-1} className={className}>
      {children}
    </main>
  );
}
