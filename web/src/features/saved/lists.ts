import { limits } from '@oja/domain/rules';
import { useQuery } from '@tanstack/react-query';
import { goodsByIdsQuery, isListed } from '../../api/goods-by-ids.js';
import { changeSaved, changeSeen, parseIds } from '../../stores/saved-and-seen.js';

/** The current products of a list of ids, in its order; products that are not listed are left out. */
export function useListedGoods(ids: readonly string[]) {
  const { data, isError, isPlaceholderData, refetch } = useQuery(goodsByIdsQuery(ids));
  const byId = new Map(
    data?.result.filter(isListed).map((product) => [product.product_id, product]),
  );
  /** Undefined until the market has answered; while `isPlaceholderData`, without the ids that were added. */
  const goods = data && ids.flatMap((id) => byId.get(id) ?? []);
  return { goods, isError, isPlaceholderData, refetch };
}

/** Clears the recently seen products. @returns the former ids, for Undo */
export function clearSeen(): readonly string[] {
  let before: readonly string[] = [];
  changeSeen(({ ids }) => {
    before = ids;
    return { ids: [] };
  });
  return before;
}

/** Undo of `clearSeen`. Products seen since then stay in front. */
export function restoreSeen(before: readonly string[]): void {
  changeSeen(({ ids }) => parseIds({ ids: [...ids, ...before] }, limits.seenGoods.max));
}

/** Removes these ids from the saved products. */
export function removeSaved(dropped: readonly string[]): void {
  changeSaved(({ ids }) => ({ ids: ids.filter((id) => !dropped.includes(id)) }));
}
