import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

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
  useEffect(takeLostFocus, []);
  return (
    <main id="main" tabIndex={-1} className={className}>
      {children}
    </main>
  );
}

/** Marks elements in which typing changes the address: they keep the focus. */
export const KEEPS_FOCUS = 'data-keeps-focus';

/** Whether the app has moved the focus yet. Until then the focus stays as the browser set it on load. */
let moved = false;

/** After a change of path, moves the focus to the heading, so that screen readers notice the new page. */
export function useRouteFocus(): void {
  const { pathname } = useLocation();
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    moved = true;
    if (document.activeElement?.closest(`[${KEEPS_FOCUS}]`)) return;
    focusHeading();
  }, [pathname]);
}

/** Moves the focus to the page's heading, or to its main part. For actions whose own button disappears. */
export function focusHeading(): void {
  moved = true;
  const target = document.querySelector<HTMLElement>('#main h1') ?? document.getElementById('main');
  if (target === null) return;
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/**
 * When a page replaces its own skeleton, or the part with its heading, the focused element is gone: the focus moves
 * to the page.
 */
export function takeLostFocus(): void {
  if (moved && document.activeElement === document.body) focusHeading();
}
