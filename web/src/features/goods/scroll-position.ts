import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { asRecord } from '../../api/as-record.js';
import { parseStored, safeSessionStorage } from '../../stores/safe-storage.js';

/** How far a list was read. */
interface ListPosition {
  /** Pages that were loaded. */
  readonly pages: number;
  /** How far the window was scrolled, in px. */
  readonly top: number;
}

/** History entries of which something is remembered: the last ones. */
const MAX_ENTRIES = 10;

/** What is remembered of the tab's history entries, by their keys: kept in sessionStorage, under a name. */
export const createEntryStorage = (name: string) => ({
  read: (entry: string): unknown => parseStored(safeSessionStorage.getItem(name))[entry],
  write(entry: string, value: unknown): void {
    const { [entry]: _, ...others } = parseStored(safeSessionStorage.getItem(name));
    const kept = [...Object.entries(others), [entry, value] as const].slice(-MAX_ENTRIES);
    safeSessionStorage.setItem(name, JSON.stringify(Object.fromEntries(kept)));
  },
});

const listPositions = createEntryStorage('oja-places');
/** Pages that come back by themselves. Whoever read further presses for the rest. */
const MAX_RESTORED_PAGES = 12;

function readListPosition(entry: string): ListPosition | null {
  const { pages, top } = asRecord(listPositions.read(entry));
  return typeof pages === 'number' && typeof top === 'number' ? { pages, top } : null;
}

/** Events by which the reader scrolls. After one of them the position is no longer restored. */
const SCROLL_INPUTS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/**
 * Calls `onLeave` with the scroll position, in px, when the page is left, and as soon as it is hidden, since phones close
 * hidden tabs without an event. Calls `onMove` whenever the reader scrolls.
 * @returns a function that stops this, and calls `onLeave` once more
 */
export function watchScroll(onMove: () => void, onLeave: (top: number) => void): () => void {
  let top = scrollY;
  const scrolled = () => {
    top = scrollY;
  };
  const left = () => onLeave(top);
  addEventListener('scroll', scrolled, { passive: true });
  addEventListener('pagehide', left);
  document.addEventListener('visibilitychange', left);
  for (const move of SCROLL_INPUTS) addEventListener(move, onMove, { passive: true });
  return () => {
    left();
    removeEventListener('scroll', scrolled);
    removeEventListener('pagehide', left);
    document.removeEventListener('visibilitychange', left);
    for (const move of SCROLL_INPUTS) removeEventListener(move, onMove);
  };
}

interface PagedList {
  /** Pages that are loaded. */
  readonly pages: number;
  readonly isLoading: boolean;
  /** Loads the next page; null when there is none, or it failed. */
  readonly loadMore: (() => void) | null;
}

/**
 * Brings a long list back to where it was read, after a reload and when a phone had closed the tab
 * meanwhile: loads its pages again, then scrolls there, unless the shopper has moved before.
 */
export function useRestoreListPosition({ pages, isLoading, loadMore }: PagedList): void {
  const { key } = useLocation();
  const target = useRef<ListPosition | null>(null);
  const loaded = useRef(pages);
  loaded.current = pages;

  useEffect(() => {
    target.current = readListPosition(key);
    const moved = () => {
      target.current = null;
    };
    return watchScroll(moved, (top) => {
      // Until the place is reached, it is the one that counts.
      const reached: ListPosition = { pages: loaded.current, top };
      listPositions.write(key, target.current ?? reached);
    });
  }, [key]);

  useEffect(() => {
    const place = target.current;
    if (place === null || isLoading || pages === 0) return;
    if (loadMore !== null && pages < Math.min(place.pages, MAX_RESTORED_PAGES)) return loadMore();
    target.current = null;
    scrollTo({ top: place.top, behavior: 'instant' });
  });
}
