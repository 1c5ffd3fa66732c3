import { AUTH_STORAGE } from '@oja/contracts/wire';
import { koboToNaira, limits, STARTING_DELIVERY_FEE } from '@oja/domain/rules';
import { create } from 'zustand';
import { asRecord } from '../api/as-record.js';
import type { UserDetails } from '../api/types.js';
import { parseStored, safeLocalStorage } from './safe-storage.js';

/** The version of the shape of what is stored, which every release so far has written. */
const VERSION = 1;

/** One function per store, which takes over what other tabs have written. */
const storeSyncs: (() => void)[] = [];

/**
 * A store that outlives the tab, in localStorage under its own name; it follows changes of other tabs.
 * @param read turns any stored value, however old or corrupt, into a valid state
 * @returns the hook to read the store, and the function to change it, which starts from the newest state of
 * all tabs
 */
export function createPersistentStore<S extends object>(
  name: string,
  first: S,
  read: (raw: unknown) => S,
) {
  const use = create<S>(() => first);
  /** What this tab last read or wrote. */
  let seen: string | null = null;
  const sync = () => {
    const stored = safeLocalStorage.getItem(name);
    if (stored === seen) return;
    seen = stored;
    const { state } = parseStored(stored);
    if (state !== undefined) use.setState(read(state), true);
  };
  sync();
  storeSyncs.push(sync);
  const change = (next: (now: S) => Partial<S>) => {
    sync();
    use.setState(next(use.getState()));
    const value = JSON.stringify({ state: use.getState(), version: VERSION });
    // A value that does not fit stays in memory for the lifetime of the tab.
    if (safeLocalStorage.setItem(name, value)) seen = value;
  };
  return [use, change] as const;
}

/** Takes over what other tabs have written, which this tab may not have been told yet. */
export const syncStores = () => {
  for (const one of storeSyncs) one();
};

/** Follows what other tabs write to the stores. @returns a function that stops it */
export function followOtherTabs(): () => void {
  addEventListener('storage', syncStores);
  // A page restored from the back/forward cache received no storage events.
  addEventListener('pageshow', syncStores);
  return () => {
    removeEventListener('storage', syncStores);
    removeEventListener('pageshow', syncStores);
  };
}

/** A cart line, with what is needed to show it offline. */
export interface CartItem {
  readonly product_id: string;
  readonly user_id: string;
  readonly quantity: number;
  readonly prod_name?: string;
  /** In naira, as last read from the market. */
  readonly price?: number;
  readonly image_url?: string;
  readonly businessName?: string;
  readonly state?: string;
  readonly local_govt?: string;
  readonly subcategory_id?: number;
}

/** The exact shape in localStorage. */
export interface AuthStorage {
  readonly user: UserDetails | null;
  /** The product chosen by Single order. */
  readonly singleProductId: string | null;
  /** Product id → whether its cart sign shows it as added. */
  readonly showButton: Readonly<Record<string, boolean>>;
  /** 'Pending' while a delivery is unconfirmed. */
  readonly status: string;
  /** The product last opened from a card. */
  readonly pid: string | null;
  /** In naira. */
  readonly deliveryFee: number;
  readonly itemsAddedToCart: readonly CartItem[];
}

export const initialAuthStorage: AuthStorage = {
  user: null,
  singleProductId: null,
  showButton: {},
  status: 'AVAILABLE',
  pid: null,
  deliveryFee: koboToNaira(STARTING_DELIVERY_FEE),
  itemsAddedToCart: [],
};

/** Reads what storage holds, however old or corrupt: an invalid field gets its initial value. */
function parseAuthStorage(raw: unknown): AuthStorage {
  const at = asRecord(raw);
  const items = Array.isArray(at.itemsAddedToCart) ? at.itemsAddedToCart : [];
  return {
    user: parseUser(at.user),
    singleProductId: text(at.singleProductId) ?? null,
    showButton: parseFlags(at.showButton),
    status: text(at.status) ?? initialAuthStorage.status,
    pid: text(at.pid) ?? null,
    deliveryFee: amount(at.deliveryFee) ?? initialAuthStorage.deliveryFee,
    itemsAddedToCart: items
      .flatMap(parseCartItem)
      .slice(0, limits.cartLines.max)
      .filter(isFirstOfProduct),
  };
}

function parseCartItem(raw: unknown): CartItem[] {
  const at = asRecord(raw);
  const product_id = text(at.product_id);
  const user_id = text(at.user_id);
  if (product_id === undefined || user_id === undefined) return [];
  const words = ['prod_name', 'image_url', 'businessName', 'state', 'local_govt'] as const;
  const price = amount(at.price);
  const subcategory = amount(at.subcategory_id);
  return [
    {
      product_id,
      user_id,
      quantity: clampQuantity(amount(at.quantity) ?? limits.quantity.min),
      ...Object.fromEntries(
        words.flatMap((word) => (text(at[word]) === undefined ? [] : [[word, at[word]]])),
      ),
      ...(price !== undefined && { price }),
      ...(subcategory !== undefined && { subcategory_id: subcategory }),
    },
  ];
}

/** A product has one line. */
const isFirstOfProduct = ({ product_id }: CartItem, place: number, lines: readonly CartItem[]) =>
  lines.findIndex((line) => line.product_id === product_id) === place;

/** Truncates to a whole number between 1 and 99. */
export function clampQuantity(quantity: number): number {
  return Math.min(limits.quantity.max, Math.max(limits.quantity.min, Math.trunc(quantity)));
}

function parseUser(raw: unknown): UserDetails | null {
  const at = asRecord(raw);
  const user_id = text(at.user_id);
  const businessName = text(at.businessName);
  if (user_id === undefined || businessName === undefined) return null;
  const bit = (value: unknown) => (value === 1 ? 1 : 0);
  return {
    user_id,
    businessName,
    name: text(at.name) ?? null,
    is_admin: bit(at.is_admin),
    is_subAdmin: bit(at.is_subAdmin),
    is_suspended: bit(at.is_suspended),
  };
}

function parseFlags(raw: unknown): Readonly<Record<string, boolean>> {
  return Object.fromEntries(
    Object.entries(asRecord(raw))
      .filter(([, on]) => on === true)
      .map(([id]) => [id, true]),
  );
}

function text(raw: unknown): string | undefined {
  return typeof raw === 'string' && raw !== '' ? raw : undefined;
}

function amount(raw: unknown): number | undefined {
  return typeof raw === 'number' && Number.isFinite(raw) && raw >= 0 ? raw : undefined;
}

/**
 * The state that outlives the tab, under `auth-storage`, and the function to change it. Components read it
 * through session.ts and cart.ts.
 */
export const [useAuthStorage, changeAuthStorage] = createPersistentStore<AuthStorage>(
  AUTH_STORAGE,
  initialAuthStorage,
  parseAuthStorage,
);
