import { useCallback, useEffect, useRef } from 'react';
import { type NavigateOptions, useLocation, useNavigate } from 'react-router-dom';
import { useVisitKey } from '../ui/focus.js';
import { useRouter } from './address.js';

/** The entry of the history to which the app led last by itself, and the one from which it did. */
let lastRedirect: { readonly from: string; readonly to: string } | undefined;

/** The key of the entry that is shown, or of the one on the way. */
const currentEntryKey = ({ state }: ReturnType<typeof useRouter>): string =>
  (state.navigation.location ?? state.location).key;

/**
 * Whether nobody has gone, or pressed what leads, from an entry to elsewhere. An answer may come minutes after a press,
 * on a slow network, and a page's code too; the router gives up a navigation under way when another begins, so one
 * that nobody asks for just now would undo what was pressed since.
 */
function isStillAt(router: ReturnType<typeof useRouter>, key: string): boolean {
  const current = currentEntryKey(router);
  return current === key || (current === lastRedirect?.to && key === lastRedirect.from);
}

/** Whether the person is at this page still, and on the way to no other. */
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

/** Navigates for somebody who was at the entry `from` and has not left it; does nothing for others. */
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
 * Leads from this page to another in its place. It waits while the person is on the way elsewhere, and follows should
 * this page be shown again.
 * @param state the same object until it changes, or it leads there again and again until the page's code is loaded
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
 * Gives this page another address, as soon as `useRedirect` would lead there. The page stays as far scrolled as it is.
 * @param to undefined to keep the address
 * @param state the same object until it changes
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
