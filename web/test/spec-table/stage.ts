import type { UserDetails } from '@oja/contracts';
import { act, fireEvent, waitFor } from '@testing-library/react';
import { toast as sonner } from 'sonner';
import { vi } from 'vitest';
import { queryClient } from '../../src/api/query-client.js';
import { setUnavailable } from '../../src/features/dashboard/unavailable.js';
import { clearDraft } from '../../src/features/upload/draft.js';
import { routes } from '../../src/routes.js';
import { addToCart } from '../../src/stores/cart.js';
import { setQuantity } from '../../src/stores/cart-checkout.js';
import { currentOrders, removeOrder, saveOrder } from '../../src/stores/orders.js';
import { changeAuthStorage, initialAuthStorage } from '../../src/stores/persistent-store.js';
import { changeSaved, changeSeen } from '../../src/stores/saved-and-seen.js';
import { restoreSession, signIn, signOut } from '../../src/stores/session.js';
import { registerToaster, toast } from '../../src/ui/toast.js';
import { renderAt } from '../render.js';
import { autoplayOptions } from './autoplay-options.js';
import {
  all,
  findByLabel,
  findByName,
  isDisabled,
  type Kind,
  matches,
  shows,
} from './dom-queries.js';
import type { Expected } from './expected.js';
import { watch } from './goods.js';
import type { Market } from './market.js';
import { ORDER_KEY } from './orders.js';
import { personOf, type Role } from './people.js';

declare global {
  interface Window {
    /** The API of the test browser. */
    readonly happyDOM: { setViewport(size: { width: number }): void };
  }
}

/** Longest wait for what a row expects, in milliseconds: lazy pages were loaded before the first row. */
const TIMEOUT_MS = 10_000;

/** Where rows run: the app's own routes at one address, and a market that answers every call. */
export type Stage = ReturnType<typeof createStage>;

/** Removes everything that the row before has left behind. */
function resetState(market: Market): void {
  market.reset();
  signOut();
  changeAuthStorage(() => initialAuthStorage);
  for (const { key } of currentOrders()) removeOrder(key);
  for (const change of [changeSeen, changeSaved]) change(() => ({ ids: [] }));
  for (const role of ['seller', 'admin', 'sub-admin'] as const) clearDraft(personOf(role).user_id);
  setUnavailable([]);
  registerToaster(() => {})();
  // A new toaster would show toasts again that the last one had not dismissed.
  sonner.dismiss();
  autoplayOptions.length = 0;
  localStorage.setItem('oja-release-seen', '1');
  Object.defineProperty(window, 'scrollY', { value: 0, configurable: true });
  window.happyDOM.setViewport({ width: 1_280 });
}

export function createStage(market: Market, screen: string) {
  resetState(market);
  let view: ReturnType<typeof renderAt> | undefined;
  let leftFor: string | undefined;
  vi.spyOn(window.location, 'assign').mockImplementation((address) => {
    leftFor = String(address);
  });
  /** Opens the screen once: at the first act on the page, or at the end of the row. */
  const open = () => {
    view ??= renderAt(screen, routes);
    return view;
  };
  const until = async <T>(look: () => T): Promise<T> => {
    open();
    return waitFor(look, { timeout: TIMEOUT_MS });
  };
  const firstOrThrow = (found: readonly HTMLElement[], what: string): HTMLElement => {
    const [first] = found;
    if (first === undefined) throw new Error(`There is no ${what}`);
    return first;
  };
  const control = (label: Expected) =>
    until(() => firstOrThrow(findByLabel(label), `field ${label}`));
  const pressable = (name: Expected) =>
    until(() => {
      const here = [
        ...findByName('button', name),
        ...findByName('link', name),
        ...findByLabel(name),
      ];
      /** While a modal dialog is open, nothing else can be pressed. */
      const modal = document.querySelector('dialog[open]');
      return firstOrThrow(
        here.filter((one) => !isDisabled(one) && (modal?.contains(one) ?? true)),
        `button, link or box ${name}`,
      );
    });

  const scroll = (px: number) =>
    act(async () => {
      open();
      Object.defineProperty(window, 'scrollY', { value: px, configurable: true });
      dispatchEvent(new Event('scroll'));
    });
  const msUntil = async (isSo: () => boolean, step: number, within: number): Promise<number> => {
    for (let passed = 0; passed <= within; passed += step) {
      if (isSo()) return passed;
      await act(async () => void (await vi.advanceTimersByTimeAsync(step)));
    }
    return Number.POSITIVE_INFINITY;
  };

  const settled = () =>
    until(() => {
      const { router } = open();
      const coming =
        market.isBusy() ||
        queryClient.isFetching() + queryClient.isMutating() > 0 ||
        router.state.navigation.state !== 'idle' ||
        document.querySelector('main') === null ||
        document.querySelector('main[aria-busy=true]') !== null;
      if (coming) throw new Error('Something is still on its way');
    });
  const toaster = () => until(() => firstOrThrow(all('section[aria-live=polite]'), 'toaster'));

  return {
    open,
    until,
    ...market,
    /** The current address of the page. */
    address: () => {
      const { pathname, search, hash } = open().router.state.location;
      return decodeURI(pathname) + search + hash;
    },
    /** Resolves once everything has loaded. */
    settled,
    /** Resolves once everything has loaded and its toasts show: what is absent then will not come. */
    quiet: async () => {
      await settled();
      if (!market.wasActedOn()) return;
      await toaster();
      await act(() => new Promise((next) => setTimeout(next)));
      await settled();
    },
    /** Waits for a text before the next act. */
    sees: (words: Expected, as: Exclude<Kind, 'address'> = 'text') =>
      until(() => {
        if (!shows(as, words)) throw new Error(`There is no ${as} ${words}`);
      }),
    signIn: (role: Role) => signIn(personOf(role), 'token'),
    /** The storage names a person, and the app checks the session cookie. */
    remember: (user: UserDetails) => {
      changeAuthStorage(() => ({ user }));
      void restoreSession();
    },
    /** Puts this many of a product into the cart; default: the watch. */
    cart: (product = watch, quantity = 1) => {
      addToCart(product);
      setQuantity(product.product_id, product.user_id, quantity);
    },
    /** An order of this browser that was paid and not confirmed yet. */
    paid: (key = ORDER_KEY) => saveOrder(key, 'paid'),
    /** Shows a toast. */
    told: () => toast.info('Something was done.'),
    type: async (label: Expected, value: string) => {
      const field = await until(() =>
        firstOrThrow(
          findByLabel(label).filter((one) => !one.matches('[type=checkbox], [type=radio]')),
          `field ${label}`,
        ),
      );
      await act(async () => void fireEvent.change(field, { target: { value } }));
    },
    /** Chooses an option of a select by its text. */
    choose: async (label: Expected, words: string) => {
      const list = await until(() =>
        firstOrThrow(
          findByLabel(label).filter((one) => one.matches('select')),
          `select ${label}`,
        ),
      );
      const option = [...list.querySelectorAll('option')].find((one) =>
        matches(words, one.textContent ?? ''),
      );
      if (option === undefined) throw new Error(`${label} has no ${words}`);
      await act(async () => void fireEvent.change(list, { target: { value: option.value } }));
    },
    press: async (...names: readonly Expected[]) => {
      for (const name of names) {
        const target = await pressable(name);
        await act(async () => {
          // Browsers move the focus before the click.
          target.focus();
          fireEvent.click(target);
        });
      }
    },
    /** Presses a key on a focused control. */
    key: async (label: Expected, key: string) => {
      const field = await control(label);
      await act(async () => {
        field.focus();
        fireEvent.keyDown(field, { key });
      });
    },
    pick: async (...files: readonly File[]) => {
      const input = await until(() =>
        firstOrThrow([...document.querySelectorAll<HTMLElement>('input[type=file]')], 'file input'),
      );
      await act(async () => void fireEvent.change(input, { target: { files } }));
    },
    scroll,
    /** The first scroll position, in px from `from` on, at which the condition holds. */
    pxUntil: async (isSo: () => boolean, from: number): Promise<number> => {
      for (let px = from; px < from + 100; px += 1) {
        await scroll(px);
        if (isSo()) return px;
      }
      return Number.POSITIVE_INFINITY;
    },
    width: (px: number) => window.happyDOM.setViewport({ width: px }),
    go: (address: string) => act(async () => open().router.navigate(address)),
    back: () => act(async () => open().router.navigate(-1)),
    /** The address outside the app that the browser was sent to. */
    leftFor: () => leftFor,
    /** A value in the browser's storage. */
    kept: (name: string): unknown => JSON.parse(localStorage.getItem(name) ?? 'null'),
    /** The value of a field. */
    value: (label: Expected) => {
      const [field] = findByLabel(label);
      return field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
        ? field.value
        : undefined;
    },
    optionsOf: (label: Expected) =>
      findByLabel(label).flatMap((list) =>
        [...list.querySelectorAll('option')].map((option) => option.textContent),
      ),
    find: all,
    /** Stops the clock; time then passes only as it is measured. */
    stopClock: async () => {
      // The toaster loads after the page, so wait for it first.
      await toaster();
      // Testing Library advances fake timers only if a global `jest` exists.
      vi.stubGlobal('jest', { advanceTimersByTime: (ms: number) => vi.advanceTimersByTime(ms) });
      vi.useFakeTimers({
        toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
      });
    },
    pass: (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms))),
    /** How many milliseconds pass until the condition holds, to within a step. */
    msUntil,
    /** How many milliseconds the next toast with these words stays. */
    msOfToast: async (words: Expected): Promise<number> => {
      for (let turn = 0; turn < 500 && !shows('toast', words); turn += 1) {
        // The answer takes turns of the event loop, but no time on the stopped clock.
        await act(() => new Promise((next) => setImmediate(next)));
        await msUntil(() => false, 1, 0);
      }
      return msUntil(() => !shows('toast', words), 50, 20_000);
    },
  };
}
