import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

interface ScreenProps {
  /** In the tab and in the history, before the market's name. */
  readonly title: string;
  readonly className?: string | undefined;
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

/** Parts in which typing changes the address: they keep the focus they have. */
export const KEEPS_FOCUS = 'data-keeps-focus';

/** Whether the app has moved the focus since it was opened: the first page takes it from nobody. */
let moved = false;

/** After a change of path the focus goes to the page's heading, as it would after a full load. */
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

/** For acts whose own button goes away: the focus goes to the page's heading, or to its main part. */
export function focusHeading(): void {
  moved = true;
  const target = document.querySelector<HTMLElement>('#main h1') ?? document.getElementById('main');
  if (target === null) return;
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/** A page that takes the place of its own skeleton takes its focus too. */
function takeLostFocus(): void {
  if (moved && document.activeElement === document.body) focusHeading();
}
