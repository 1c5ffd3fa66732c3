import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { changedElsewhere, safeStorage } from './safe-storage.js';

/** What takes over what other tabs have written since, of each store. */
const catchUps: (() => void)[] = [];

/**
 * State that outlives the tab, in the browser's storage under a name of its own; other tabs follow.
 * @param read makes the state of whatever storage holds, however old or spoiled
 * @returns the store to read from, and the one way to change it: from the newest state of all tabs
 */
export function keptStore<S extends object>(name: string, first: S, read: (raw: unknown) => S) {
  const use = create<S>()(
    persist((): S => first, {
      name,
      version: 1,
      storage: safeStorage<S>(),
      /** Older shapes are read field by field, as spoiled ones are. */
      migrate: read,
      merge: (kept, current) => (kept === undefined ? current : read(kept)),
    }),
  );
  const catchUp = () => {
    if (changedElsewhere(name)) void use.persist.rehydrate();
  };
  catchUps.push(catchUp);
  const change = (next: (now: S) => Partial<S>) => {
    catchUp();
    use.setState(next(use.getState()));
  };
  return [use, change] as const;
}

/** Takes over what other tabs write, as they write it. Answers how to stop. */
export function followOtherTabs(): () => void {
  const catchUp = () => {
    for (const one of catchUps) one();
  };
  addEventListener('storage', catchUp);
  // A page that Back took out of the browser's memory was told nothing meanwhile.
  addEventListener('pageshow', catchUp);
  return () => {
    removeEventListener('storage', catchUp);
    removeEventListener('pageshow', catchUp);
  };
}
