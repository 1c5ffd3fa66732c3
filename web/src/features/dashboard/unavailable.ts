import { create } from 'zustand';

/** Ids of unavailable products. Cards follow this list, which is ahead of the next fetch. */
const useUnavailableStore = create<{ readonly ids: readonly string[] }>(() => ({ ids: [] }));

export const useUnavailable = () => useUnavailableStore((store) => store.ids);

/** Replaces the list after a fetch. */
export function setUnavailable(ids: readonly string[]): void {
  useUnavailableStore.setState({ ids });
}

/** Index of the word in a toggle's answer that names the new status. */
const STATUS_WORD = 4;

/**
 * Applies a toggle's answer: 'Product status changed to unavailable' adds the product to the list,
 * '… available' removes it. Any other answer changes nothing.
 */
export function applyStatusMessage(productId: string, message: string): void {
  const word = message.trim().split(/\s+/)[STATUS_WORD];
  useUnavailableStore.setState(({ ids }) => {
    const others = ids.filter((id) => id !== productId);
    if (word === 'unavailable') return { ids: [...others, productId] };
    return { ids: word === 'available' ? others : ids };
  });
}
