import { useQuery } from '@tanstack/react-query';
import { goodsByIdsQuery, isListed } from '../../api/goods-by-ids.js';

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
