import { create } from 'zustand';

/** The local list of unavailable product ids: what the cards follow, ahead of the next read. */
const useList = create<{ readonly ids: readonly string[] }>(() => ({ ids: [] }));

export const useUnavailable = () => useList((list) => list.ids);

/** Takes over what a read says. */
export function setUnavailable(ids: readonly string[]): void {
  useList.setState({ ids });
}

/** Which word of the toggle's answer says how the product stands now. */
const FIFTH = 4;

/**
 * Takes over what a toggle answers: 'Product status changed to unavailable' adds the product to the list, '…
 * available' removes it.
 */
export function noteStatus(productId: string, message: string): void {
  const word = message.trim().split(/\s+/)[FIFTH];
  useList.setState(({ ids }) => {
    const others = ids.filter((id) => id !== productId);
    if (word === 'unavailable') return { ids: [...others, productId] };
    return { ids: word === 'available' ? others : ids };
  });
}
