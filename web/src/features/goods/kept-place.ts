import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { fieldsOf } from '../../api/fields.js';
import { safeSessionStorage, storedFields } from '../../stores/safe-storage.js';

/** How far a list was read. */
interface Place {
  /** Pages that were loaded. */
  readonly pages: number;
  /** How far the window was scrolled, in px. */
  readonly top: number;
}

/** History entries of which something is remembered: the last ones. */
const MOST_ENTRIES = 10;

/** What is remembered of the tab's history entries, by their keys: kept in sessionStorage, under a name. */
export const keptByEntry = (name: string) => ({
  of: (entry: string): unknown => storedFields(safeSessionStorage.getItem(name))[entry],
  keep(entry: string, value: unknown): void {
    const { [entry]: _, ...others } = storedFields(safeSessionStorage.getItem(name));
    const kept = [...Object.entries(others), [entry, value] as const].slice(-MOST_ENTRIES);
    safeSessionStorage.setItem(name, JSON.stringify(Object.fromEntries(kept)));
  },
});

const places = keptByEntry('oja-places');
/** Pages that come back by themselves. Whoever read further presses for the rest. */
const MOST_PAGES = 12;

function placeAt(entry: string): Place | null {
  const { pages, top } = fieldsOf(places.of(entry));
  return typeof pages === 'number' && typeof top === 'number' ? { pages, top } : null;
}

/** What a reader does to move about. From then on the window stays where they put it. */
const MOVES = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/**
 * Calls `leave` with how far the window is scrolled, in px, when the page is left. Phones close hidden tabs without a
 * word, so it is called as soon as the page is hidden, too. Calls `moved` whenever the reader moves about.
 *
 * @returns a function that ends this, which also leaves
 */
export function watchReader(moved: () => void, leave: (top: number) => void): () => void {
  let top = scrollY;
  const scrolled = () => {
    top = scrollY;
  };
  const left = () => leave(top);
  addEventListener('scroll', scrolled, { passive: true });
  addEventListener('pagehide', left);
  document.addEventListener('visibilitychange', left);
  for (const move of MOVES) addEventListener(move, moved, { passive: true });
  return () => {
    left();
    removeEventListener('scroll', scrolled);
    removeEventListener('pagehide', left);
    document.removeEventListener('visibilitychange', left);
    for (const move of MOVES) removeEventListener(move, moved);
  };
}

interface PagedList {
  /** Pages that are loaded. */
  readonly pages: number;
  readonly isLoading: boolean;
  /** Loads the next page; null when there is none, or it failed. */
  readonly more: (() => void) | null;
}

/**
 * Brings a long list back to where it was read, after a reload and when a phone had closed the tab
 * meanwhile: loads its pages again, then scrolls there, unless the shopper has moved before.
 */
export function useKeptPlace({ pages, isLoading, more }: PagedList): void {
  const { key } = useLocation();
  const goal = useRef<Place | null>(null);
  const loaded = useRef(pages);
  loaded.current = pages;

  useEffect(() => {
    goal.current = placeAt(key);
    const moved = () => {
      goal.current = null;
    };
    return watchReader(moved, (top) => {
      // Until the place is reached, it is the one that counts.
      const reached: Place = { pages: loaded.current, top };
      places.keep(key, goal.current ?? reached);
    });
  }, [key]);

  useEffect(() => {
    const place = goal.current;
    if (place === null || isLoading || pages === 0) return;
    if (more !== null && pages < Math.min(place.pages, MOST_PAGES)) return more();
    goal.current = null;
    scrollTo({ top: place.top, behavior: 'instant' });
  });
}
