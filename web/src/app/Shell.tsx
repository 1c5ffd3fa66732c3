import { useEffect } from 'react';
import { Outlet, ScrollRestoration } from 'react-router-dom';
import { useSessionPhase, useUser } from '../stores/session.js';
import { SkipLink } from '../ui/SkipLink.js';
import { ToastHost } from '../ui/ToastHost.js';
import { useRouteFocus } from './use-route-focus.js';

/** What stands around every page. */
export function Shell() {
  useRouteFocus();
  useLiveNotices();
  return (
    <>
      <SkipLink />
      <Outlet />
      <ToastHost />
      <ScrollRestoration />
    </>
  );
}

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
