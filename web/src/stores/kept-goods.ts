import { SAVED_STORAGE, SEEN_STORAGE } from '@oja/contracts/wire';
import { limits } from '@oja/domain/rules';
import { keptStore } from './kept.js';

/** Goods by their ids, newest first. They stay in this browser: no list of them is kept anywhere else. */
interface KeptGoods {
  readonly ids: readonly string[];
}

/** Whatever storage or a page says, as a list: each once, and so many at most. */
export function readGoods(raw: unknown, most: number): KeptGoods {
  const list = typeof raw === 'object' && raw !== null && 'ids' in raw ? raw.ids : [];
  const ids = Array.isArray(list) ? list.filter((id) => typeof id === 'string' && id !== '') : [];
  return { ids: [...new Set<string>(ids)].slice(0, most) };
}

function keptGoods(name: string, most: number) {
  return keptStore<KeptGoods>(name, { ids: [] }, (raw) => readGoods(raw, most));
}

export const [useSavedGoods, changeSaved] = keptGoods(SAVED_STORAGE, limits.savedGoods.max);
export const [useSeenGoods, changeSeen] = keptGoods(SEEN_STORAGE, limits.seenGoods.max);

export const useSaved = () => useSavedGoods((kept) => kept.ids);
export const useIsSaved = (id: string) => useSavedGoods((kept) => kept.ids.includes(id));
export const useSeen = () => useSeenGoods((kept) => kept.ids);

const without = (ids: readonly string[], id: string) => ids.filter((other) => other !== id);

/** The heart. `full`: there is room for no more, and nothing was changed. */
export function toggleSaved(id: string): 'saved' | 'dropped' | 'full' {
  let outcome: 'saved' | 'dropped' | 'full' = 'saved';
  changeSaved(({ ids }) => {
    if (ids.includes(id)) outcome = 'dropped';
    else if (ids.length >= limits.savedGoods.max) outcome = 'full';
    if (outcome === 'full') return {};
    return { ids: outcome === 'saved' ? [id, ...ids] : without(ids, id) };
  });
  return outcome;
}

/** The page of a product was opened: of many the oldest is forgotten. */
export function rememberSeen(id: string): void {
  changeSeen(({ ids }) => ({ ids: [id, ...without(ids, id)].slice(0, limits.seenGoods.max) }));
}
