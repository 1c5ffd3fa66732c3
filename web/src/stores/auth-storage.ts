import { AUTH_STORAGE } from '@oja/contracts/wire';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { type Kept, readKept, untouched } from './kept.js';
import { changedElsewhere, safeStorage } from './safe-storage.js';

/** The part of the state that outlives the tab, under `auth-storage`. Read it through session.ts and cart.ts. */
export const useKept = create<Kept>()(
  persist((): Kept => untouched, {
    name: AUTH_STORAGE,
    version: 1,
    storage: safeStorage<Kept>(),
    /** Older shapes are read field by field, as spoiled ones are. */
    migrate: readKept,
    merge: (kept, current) => (kept === undefined ? current : readKept(kept)),
  }),
);

function catchUp(): void {
  if (changedElsewhere(AUTH_STORAGE)) void useKept.persist.rehydrate();
}

/** Changes what is kept, starting from the newest state of all tabs. */
export function keep(change: (now: Kept) => Partial<Kept>): void {
  catchUp();
  useKept.setState(change(useKept.getState()));
}

/** Takes over what other tabs write, as they write it. Answers how to stop. */
export function followOtherTabs(): () => void {
  const written = (event: StorageEvent) => {
    if (event.key === AUTH_STORAGE || event.key === null) catchUp();
  };
  addEventListener('storage', written);
  return () => removeEventListener('storage', written);
}
