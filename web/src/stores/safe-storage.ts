import { fieldsOf } from '../api/fields.js';

/** Storage without exceptions: if it is full or forbidden, less is remembered. */
function safely(open: () => Storage) {
  const attempt = <T>(work: (storage: Storage) => T, otherwise: T): T => {
    try {
      return work(open());
    } catch {
      return otherwise;
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

export const safeLocalStorage = safely(() => localStorage);
/** It ends with the tab: names and addresses that were typed must not stay on a shared phone. */
export const safeSessionStorage = safely(() => sessionStorage);

/** The fields of a stored value, each still to be checked; none when it is not JSON of an object. */
export function storedFields(text: string | null): Readonly<Record<string, unknown>> {
  try {
    return fieldsOf(JSON.parse(text ?? 'null'));
  } catch {
    return {};
  }
}
