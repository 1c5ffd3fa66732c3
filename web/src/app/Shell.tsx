import { type MouseEvent, useEffect } from 'react';
import { Outlet, ScrollRestoration } from 'react-router-dom';
import { useSessionPhase, useUser } from '../stores/session.js';
import { focusHeading, focusMain, useRouteFocus } from '../ui/focus.js';
import * as layout from '../ui/layout.module.css';
import { AfterPaint, lazyOptional, loadAndRun } from '../ui/lazy.js';
import * as productCardStyles from '../ui/ProductCard.module.css';
import { CardSkeletons } from '../ui/Skeleton.js';
import * as styles from './Shell.module.css';

/** The frame around every page. */
export function Shell() {
  useRouteFocus();
  useLiveNotices();
  useEffect(signalAppReady, []);
  return (
    <>
      <SkipLink />
      <Outlet />
      <ToastHost />
      <ScrollRestoration />
    </>
  );
}

/**
 * Signals that the app runs: begin.ts replays earlier presses, and base.css hides the notice of index.html that the page
 * is not complete.
 */
export function signalAppReady(): void {
  document.documentElement.setAttribute('data-alive', '');
  dispatchEvent(new Event('oja:alive'));
}

/** Shows a signed-in seller's notices on every page. Other visitors never download the socket code. */
function useLiveNotices(): void {
  const phase = useSessionPhase();
  const sellerId = useUser()?.user_id;
  useEffect(() => {
    if (phase !== 'signed-in' || sellerId === undefined) return;
    return loadAndRun(
      () => import('../realtime.js'),
      ({ listen }) => listen(sellerId),
    );
  }, [phase, sellerId]);
}

/**
 * The first stop of the keyboard: jumps past the header to the page's content. As a navigation it would be an entry of
 * the history, and all skips would share its key, under which lists keep how far they were read.
 */
function SkipLink() {
  const skip = (event: MouseEvent) => {
    event.preventDefault();
    focusMain();
  };
  return (
    // biome-ignore lint/a11y/useValidAnchor: a link, with which the browser itself jumps until the app runs.
    <a className={styles.skipLink} href="#main" onClick={skip}>
      Skip to content
    </a>
  );
}

/** The fallback while the page's code loads, on the first load only. */
export function Loading() {
  return (
    <main id="main" className={layout.page} aria-busy="true">
      <div className={`${productCardStyles.grid} ${productCardStyles.fiveAcross}`}>
        <CardSkeletons count={10} />
      </div>
    </main>
  );
}

const Toaster = lazyOptional(() => import('../ui/Toaster.js'));

/** Holds the toaster's place. */
export function ToastHost() {
  return (
    <AfterPaint>
      <Toaster onFocusLost={focusHeading} />
    </AfterPaint>
  );
}
