import { createJSONStorage, type StateStorage } from 'zustand/middleware';

/** Name → what was last read or written by this tab. */
const seen = new Map<string, string | null>();

function raw(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Whether another tab has written under this name since this one last looked. */
export function changedElsewhere(name: string): boolean {
  return raw(name) !== (seen.get(name) ?? null);
}

function readable(value: string | null): string | null {
  try {
    JSON.parse(value ?? 'null');
    return value;
  } catch {
    return null;
  }
}

/** The browser's storage without its exceptions: full, forbidden or spoiled, it only remembers less. */
export const safe: StateStorage<void> = {
  getItem(name) {
    const value = raw(name);
    seen.set(name, value);
    return readable(value);
  },
  setItem(name, value) {
    try {
      localStorage.setItem(name, value);
      seen.set(name, value);
    } catch {
      // What does not fit lives in memory as long as the tab does.
    }
  },
  removeItem(name) {
    try {
      localStorage.removeItem(name);
    } catch {
      // Forbidden storage holds nothing to remove.
    }
  },
};

/** For zustand's `persist`. */
export const safeStorage = <S>() => createJSONStorage<S>(() => safe);
