import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

/** Parts in which typing changes the address: they keep the focus they have. */
export const KEEPS_FOCUS = 'data-keeps-focus';

/** After a change of path the focus goes to the page's heading, as it would after a full load. */
export function useRouteFocus(): void {
  const { pathname } = useLocation();
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    if (document.activeElement?.closest(`[${KEEPS_FOCUS}]`)) return;
    focusHeading();
  }, [pathname]);
}

/** For acts whose own button goes away: the focus goes to the page's heading, or to its main part. */
export function focusHeading(): void {
  const target = document.querySelector<HTMLElement>('#main h1') ?? document.getElementById('main');
  if (target === null) return;
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
