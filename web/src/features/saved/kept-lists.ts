import { limits } from '@oja/domain/rules';
import { useQuery } from '@tanstack/react-query';
import { goodsByIdsQuery, isListed } from '../../api/goods-by-ids.js';
import { changeSaved, changeSeen, readGoods } from '../../stores/kept-goods.js';

/** What a list of this browser holds, as the market has it now and in the list's order; what is in no list is left out. */
export function useGoodsOf(ids: readonly string[]) {
  const { data, isError, refetch } = useQuery(goodsByIdsQuery(ids));
  const byId = new Map(
    data?.result.filter(isListed).map((product) => [product.product_id, product]),
  );
  /** Undefined until the market has said. */
  const goods = data && ids.flatMap((id) => byId.get(id) ?? []);
  return { goods, isError, refetch };
}

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
