import { lazy, Suspense, useEffect } from 'react';
import { Outlet, ScrollRestoration } from 'react-router-dom';
import { useSessionPhase, useUser } from '../stores/session.js';
import * as layout from '../ui/layout.module.css';
import * as productCardStyles from '../ui/ProductCard.module.css';
import { CardSkeletons } from '../ui/Skeleton.js';
import { useAfterPaint } from '../ui/use-browser.js';
import { focusHeading, useRouteFocus } from './Screen.js';
import * as styles from './Shell.module.css';

/** What stands around every page. */
export function Shell() {
  useRouteFocus();
  useLiveNotices();
  useEffect(tellAlive, []);
  return (
    <>
      <SkipLink />
      <Outlet />
      <ToastHost />
      <ScrollRestoration />
    </>
  );
}

/** What was pressed while the app was on the way waits for this: see begin.ts. */
const tellAlive = () => void dispatchEvent(new Event('oja:alive'));

/** A signed-in seller hears of orders wherever they are; nobody else fetches the socket. */
function useLiveNotices(): void {
  const phase = useSessionPhase();
  const sellerId = useUser()?.user_id;
  useEffect(() => {
    if (phase !== 'signed-in' || sellerId === undefined) return;
    let over = false;
    let hangUp = () => {};
    void import('../realtime.js').then(({ listen }) => {
      if (!over) hangUp = listen(sellerId);
    });
    return () => {
      over = true;
      hangUp();
    };
  }, [phase, sellerId]);
}

/** The first stop of the keyboard: past the header, to the goods. */
function SkipLink() {
  return (
    <a className={styles.skipLink} href="#main">
      Skip to content
    </a>
  );
}

/** The page while its part of the app is on the way, on the first load only. */
export function Loading() {
  return (
    <main id="main" className={layout.page} aria-busy="true">
      <div className={`${productCardStyles.grid} ${productCardStyles.fiveAcross}`}>
        <CardSkeletons count={10} />
      </div>
    </main>
  );
}

const LazyToaster = lazy(() => import('../ui/Toaster.js'));

/** Keeps the place of the toaster, and fetches it once the page stands. */
export function ToastHost() {
  const painted = useAfterPaint();
  if (!painted) return null;
  return (
    <Suspense>
      <LazyToaster onFocusLost={focusHeading} />
    </Suspense>
  );
}
