import { useCallback, useEffect, useRef } from 'react';
import { type NavigateOptions, useLocation, useNavigate } from 'react-router-dom';
import { useVisit } from '../ui/focus.js';
import { useRouter } from './address.js';

/** The entry of the history to which the app led last by itself, and the one from which it did. */
let led: { readonly from: string; readonly to: string } | undefined;

/** The key of the entry that is shown, or of the one on the way. */
const placeOf = ({ state }: ReturnType<typeof useRouter>): string =>
  (state.navigation.location ?? state.location).key;

/**
 * Whether nobody has gone, or pressed what leads, from an entry to elsewhere. An answer may come minutes after a press,
 * on a slow network, and a page's code too; the router gives up a navigation under way when another begins, so one
 * that nobody asks for just now would undo what was pressed since.
 */
function isAt(router: ReturnType<typeof useRouter>, key: string): boolean {
  const place = placeOf(router);
  return place === key || (place === led?.to && key === led.from);
}

/** Whether the person is at this page still, and on the way to no other. */
export function useIsHere(): () => boolean {
  const router = useRouter();
  const { key } = useLocation();
  const shown = useRef<string>(undefined);
  useEffect(() => {
    shown.current = key;
    return () => {
      shown.current = undefined;
    };
  }, [key]);
  return useCallback(() => shown.current !== undefined && isAt(router, shown.current), [router]);
}

/** Navigates for somebody who was at the entry `from` and has not left it; does nothing for others. */
export function useLead() {
  const router = useRouter();
  const navigate = useNavigate();
  return useCallback(
    async (from: string, to: string, options?: NavigateOptions): Promise<void> => {
      if (!isAt(router, from)) return;
      const arrived = navigate(to, options);
      led = { from, to: placeOf(router) };
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
  const lead = useLead();
  const { key } = useLocation();
  useEffect(() => void lead(key, to, { replace: true, state }), [lead, key, to, state]);
}

/**
 * Gives this page another address, as soon as `useRedirect` would lead there. The page stays as far scrolled as it is.
 * @param to undefined to keep the address
 * @param state the same object until it changes
 */
export function useOwnAddress(to: string | undefined, state?: object): void {
  const lead = useLead();
  const { key } = useLocation();
  const visit = useVisit();
  useEffect(() => {
    const options = { replace: true, preventScrollReset: true, state: { ...state, visit } };
    if (to !== undefined) void lead(key, to, options);
  }, [lead, key, visit, to, state]);
}
