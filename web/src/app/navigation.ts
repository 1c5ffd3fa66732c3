import { useCallback, useEffect, useRef } from 'react';
import { type NavigateOptions, useLocation, useNavigate } from 'react-router-dom';
import { useVisitKey } from '../ui/focus.js';
import { useRouter } from './address.js';

/** The last navigation that the app made by itself: the keys of the history entries that it left and reached. */
let lastRedirect: { readonly from: string; readonly to: string } | undefined;

/** The key of the history entry that a running navigation goes to, else of the one that is shown. */
const currentEntryKey = ({ state }: ReturnType<typeof useRouter>): string =>
  (state.navigation.location ?? state.location).key;

/**
 * Whether the person has neither left a history entry nor started to leave it. On a slow network an answer, or a page's
 * code, may come minutes after a press. The router cancels a running navigation when another begins, so a late automatic
 * one would undo what was pressed since.
 */
function isStillAt(router: ReturnType<typeof useRouter>, key: string): boolean {
  const current = currentEntryKey(router);
  return current === key || (current === lastRedirect?.to && key === lastRedirect.from);
}

/** Returns a function that tells whether the person is still on this page and not leaving it. */
export function useIsStillOnPage(): () => boolean {
  const router = useRouter();
  const { key } = useLocation();
  const shown = useRef<string>(undefined);
  useEffect(() => {
    shown.current = key;
    return () => {
      shown.current = undefined;
    };
  }, [key]);
  return useCallback(
    () => shown.current !== undefined && isStillAt(router, shown.current),
    [router],
  );
}

/** Returns a `navigate` that does nothing once the person has left the history entry `from`. */
export function useNavigateFrom() {
  const router = useRouter();
  const navigate = useNavigate();
  return useCallback(
    async (from: string, to: string, options?: NavigateOptions): Promise<void> => {
      if (!isStillAt(router, from)) return;
      const arrived = navigate(to, options);
      lastRedirect = { from, to: currentEntryKey(router) };
      await arrived;
    },
    [router, navigate],
  );
}

/**
 * Replaces this page by another. Does nothing while the person is leaving it; runs again if this page is shown again.
 * @param state a stable object: a new one at each render would navigate again until the other page's code is loaded
 */
export function useRedirect(to: string, state?: object): void {
  const navigateFrom = useNavigateFrom();
  const { key } = useLocation();
  useEffect(
    () => void navigateFrom(key, to, { replace: true, state }),
    [navigateFrom, key, to, state],
  );
}

/**
 * Replaces the address of this page and keeps its scroll position. It waits like `useRedirect`.
 * @param to undefined to keep the address
 * @param state a stable object
 */
export function useReplaceAddress(to: string | undefined, state?: object): void {
  const navigateFrom = useNavigateFrom();
  const { key } = useLocation();
  const visit = useVisitKey();
  useEffect(() => {
    const options = { replace: true, preventScrollReset: true, state: { ...state, visit } };
    if (to !== undefined) void navigateFrom(key, to, options);
  }, [navigateFrom, key, visit, to, state]);
}
