import { limits } from '@oja/domain/rules';
import { changeSaved, changeSeen, readGoods } from '../../stores/kept-goods.js';

/** Forgets what was seen. @returns what Undo needs */
export function clearSeen(): readonly string[] {
  let before: readonly string[] = [];
  changeSeen(({ ids }) => {
    before = ids;
    return { ids: [] };
  });
  return before;
}

/** Undo. What was seen meanwhile stays in front. */
export function putSeenBack(before: readonly string[]): void {
  changeSeen(({ ids }) => readGoods({ ids: [...ids, ...before] }, limits.seenGoods.max));
}

/** Takes these off the list of saved ones. */
export function dropSaved(dropped: readonly string[]): void {
  changeSaved(({ ids }) => ({ ids: ids.filter((id) => !dropped.includes(id)) }));
}
