import { parseStored, safeSessionStorage } from './safe-storage.js';

/** Name → text that the browser refused to store; lost when the page is closed. */
const memoryTexts = new Map<string, string>();

/** The text that was last kept under a name. */
export const loadText = (name: string): string | null =>
  safeSessionStorage.getItem(name) ?? memoryTexts.get(name) ?? null;

/** Keeps a text until the tab ends, null for none; where nothing can be stored, as long as the page lasts. */
export function saveText(name: string, text: string | null): void {
  memoryTexts.delete(name);
  if (text !== null && safeSessionStorage.setItem(name, text)) return;
  // An older text that is stored must not win over this one.
  safeSessionStorage.removeItem(name);
  if (text !== null) memoryTexts.set(name, text);
}

/** The name under which all forms of a signed-in seller keep what is typed. A logout removes it. */
export const sellerFormsName = (userId: string): string => `oja-profile-${userId}`;

type Typed<Field extends string, Text = string> = Partial<Readonly<Record<Field, Text>>>;

/**
 * Keeps what is typed into a form in sessionStorage, so that it survives a reload, a visit to another page, and a phone
 * that closes the tab. It ends with the tab: names and messages must not stay on a shared phone.
 * @param name the key in sessionStorage. Forms may share it: none changes another's fields
 * @param fields the fields that are kept
 */
export const createFormStorage = <Field extends string>(
  name: string,
  fields: readonly Field[],
) => ({
  load(): Typed<Field> {
    const typed = parseStored(loadText(name));
    const kept = fields.flatMap((field) =>
      typeof typed[field] === 'string' ? [[field, typed[field]] as const] : [],
    );
    return Object.fromEntries(kept) as Typed<Field>;
  },
  save(typed: Typed<Field, string | undefined>): void {
    const kept = { ...parseStored(loadText(name)) };
    for (const field of fields) kept[field] = typed[field] || undefined;
    const text = JSON.stringify(kept);
    saveText(name, text === '{}' ? null : text);
  },
});
