import { asRecord } from '../api/as-record.js';

/** Storage without exceptions: if it is full or forbidden, less is remembered. */
function createSafeStorage(open: () => Storage) {
  const attempt = <T>(work: (storage: Storage) => T, fallback: T): T => {
    try {
      return work(open());
    } catch {
      return fallback;
    }
  };
  return {
    getItem: (name: string) => attempt((storage) => storage.getItem(name), null),
    /** @returns whether the value is stored */
    setItem: (name: string, value: string) =>
      attempt((storage) => {
        storage.setItem(name, value);
        return true;
      }, false),
    removeItem: (name: string) => attempt((storage) => storage.removeItem(name), undefined),
  };
}

export const safeLocalStorage = createSafeStorage(() => localStorage);
/** It ends with the tab: names and addresses that were typed must not stay on a shared phone. */
export const safeSessionStorage = createSafeStorage(() => sessionStorage);

/** The fields of a stored value, each still to be checked; none when it is not JSON of an object. */
export function parseStored(text: string | null): Readonly<Record<string, unknown>> {
  try {
    return asRecord(JSON.parse(text ?? 'null'));
  } catch {
    return {};
  }
}
