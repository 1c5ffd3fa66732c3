import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SearchAnswer } from '../../api/products.js';
import type { Product } from '../../api/types.js';
import { Button } from '../../ui/Button.js';
import { Icon } from '../../ui/Icon.js';
import { ErrorState, OfflineState } from '../../ui/States.js';
import { useOnline } from '../../ui/use-online.js';
import { GoodsGrid } from './GoodsGrid.js';
import { LoadMore } from './LoadMore.js';

export type GoodsAnswer = UseInfiniteQueryResult<InfiniteData<SearchAnswer>>;

/** Cards in whose places the first goods will come: full rows of 2, 3, 4 and 5 where it matters. */
const FIRST_SKELETONS = 12;

interface GoodsListProps {
  readonly goods: GoodsAnswer;
  /** What stands here when nothing is found: why, and a next step. */
  readonly empty: ReactNode;
  readonly five?: boolean;
  readonly hideSeller?: boolean;
}

/** A page that moved between two answers is shown once. */
function shownOnce(pages: readonly SearchAnswer[]): readonly Product[] {
  const byId = new Map(pages.flatMap((page) => page.result).map((one) => [one.product_id, one]));
  return [...byId.values()];
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
      {goods.hasNextPage && <Rest goods={goods} pages={goods.data.pages.length} />}
      {goods.data.pages.length > 1 || goods.hasNextPage ? (
        <p className="c small muted num shown">
          {products.length.toLocaleString('en-NG')} of{' '}
          {(goods.data.pages[0]?.total ?? products.length).toLocaleString('en-NG')}
        </p>
      ) : null}
    </>
  );
}

function Rest({ goods, pages }: { readonly goods: GoodsAnswer; readonly pages: number }) {
  const more = () => void goods.fetchNextPage();
  if (!goods.isFetchNextPageError)
    return <LoadMore pages={pages} loading={goods.isFetchingNextPage} onMore={more} />;
  return (
    <div className="c more" role="alert">
      <p className="muted">The next products did not load.</p>
      <Button look="line" onClick={more}>
        <Icon of={RefreshCw} size="s" />
        Try again
      </Button>
    </div>
  );
}
