import { safeSessionStorage, storedFields } from './safe-storage.js';

type Typed<Field extends string, Text = string> = Partial<Readonly<Record<Field, Text>>>;

/**
 * What was typed into a form, in sessionStorage: neither a reload, nor a look at another page, nor a phone that closes
 * the tab meanwhile loses it. It ends with the tab: names and messages must not stay on a shared phone.
 * @param name the key in sessionStorage
 * @param fields the fields that are kept
 */
export const typedText = <Field extends string>(name: string, fields: readonly Field[]) => ({
  before(): Typed<Field> {
    const typed = storedFields(safeSessionStorage.getItem(name));
    const kept = fields.flatMap((field) =>
      typeof typed[field] === 'string' ? [[field, typed[field]] as const] : [],
    );
    return Object.fromEntries(kept) as Typed<Field>;
  },
  keep(typed: Typed<Field, string | undefined>): void {
    const kept = fields.flatMap((field) => (typed[field] ? [[field, typed[field]]] : []));
    if (kept.length === 0) safeSessionStorage.removeItem(name);
    else safeSessionStorage.setItem(name, JSON.stringify(Object.fromEntries(kept)));
  },
});
