import { SAVED_STORAGE, SEEN_STORAGE } from '@oja/contracts/wire';
import { limits } from '@oja/domain/rules';
import { asRecord } from '../api/as-record.js';
import { createPersistentStore } from './persistent-store.js';

/** Product ids, newest first. The list stays in this browser and is kept nowhere else. */
interface IdList {
  readonly ids: readonly string[];
}

/** Reads a list of ids from storage, valid or not: without duplicates, at most `most` ids. */
export function parseIds(raw: unknown, most: number): IdList {
  const { ids } = asRecord(raw);
  const valid = Array.isArray(ids) ? ids.filter((id) => typeof id === 'string' && id !== '') : [];
  return { ids: [...new Set<string>(valid)].slice(0, most) };
}

function createIdStore(name: string, most: number) {
  return createPersistentStore<IdList>(name, { ids: [] }, (raw) => parseIds(raw, most));
}

const [useSavedGoods, changeSaved] = createIdStore(SAVED_STORAGE, limits.savedGoods.max);
const [useSeenGoods, changeSeen] = createIdStore(SEEN_STORAGE, limits.seenGoods.max);

export { changeSaved, changeSeen };

export const useSavedIds = () => useSavedGoods((kept) => kept.ids);
export const useIsSaved = (id: string) => useSavedGoods((kept) => kept.ids.includes(id));
export const useSeenIds = () => useSeenGoods((kept) => kept.ids);

const withoutId = (ids: readonly string[], id: string) => ids.filter((other) => other !== id);

/** Toggles the heart. `full`: the list is full, and nothing was changed. */
export function toggleSaved(id: string): 'saved' | 'dropped' | 'full' {
  let outcome: 'saved' | 'dropped' | 'full' = 'saved';
  changeSaved(({ ids }) => {
    if (ids.includes(id)) outcome = 'dropped';
    else if (ids.length >= limits.savedGoods.max) outcome = 'full';
    if (outcome === 'full') return {};
    return { ids: outcome === 'saved' ? [id, ...ids] : withoutId(ids, id) };
  });
  return outcome;
}

/** Notes that a product's page was opened; beyond the limit the oldest id is dropped. */
export function rememberSeen(id: string): void {
  changeSeen(({ ids }) => ({ ids: [id, ...withoutId(ids, id)].slice(0, limits.seenGoods.max) }));
}
