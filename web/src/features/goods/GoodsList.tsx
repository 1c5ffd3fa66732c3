import type { ReactNode } from 'react';
import { ErrorState, OfflineState } from '../../ui/States.js';
import { useOnline } from '../../ui/use-online.js';
import { GoodsGrid } from './GoodsGrid.js';
import { type GoodsAnswer, shownOnce } from './goods-answer.js';
import { MoreGoods } from './MoreGoods.js';

/** Cards in whose places the first goods will come: full rows of 2, 3, 4 and 5 where it matters. */
const FIRST_SKELETONS = 12;

interface GoodsListProps {
  readonly goods: GoodsAnswer;
  /** What stands here when nothing is found: why, and a next step. */
  readonly empty: ReactNode;
  readonly five?: boolean;
  readonly hideSeller?: boolean;
}

/** A list of goods in whichever state it is: coming, there, none, not reached, offline. */
export function GoodsList({ goods, empty, five = false, hideSeller = false }: GoodsListProps) {
  const online = useOnline();
  if (goods.data === undefined) {
    if (!goods.isError) return <GoodsGrid products={[]} five={five} coming={FIRST_SKELETONS} />;
    if (!online) return <OfflineState />;
    return <ErrorState onRetry={() => void goods.refetch()} />;
  }
  const products = shownOnce(goods.data.pages);
  if (products.length === 0) return empty;
  return (
    <>
      <GoodsGrid products={products} five={five} hideSeller={hideSeller} first />
      <MoreGoods goods={goods} />
      {goods.data.pages.length > 1 || goods.hasNextPage ? (
        <p className="c small muted num shown">
          {products.length.toLocaleString('en-NG')} of{' '}
          {(goods.data.pages[0]?.total ?? products.length).toLocaleString('en-NG')}
        </p>
      ) : null}
    </>
  );
}
