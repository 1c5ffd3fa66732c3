import { RefreshCw } from 'lucide-react';
import { Button } from '../../ui/Button.js';
import { Icon } from '../../ui/Icon.js';
import type { GoodsAnswer } from './goods-answer.js';
import { LoadMore } from './LoadMore.js';

/** The way on at the end of a list. When the next goods fail to come, what is shown stays, and the way is offered again. */
export function MoreGoods({ goods }: { readonly goods: GoodsAnswer }) {
  const more = () => void goods.fetchNextPage();
  if (!goods.hasNextPage) return null;
  if (!goods.isFetchNextPageError)
    return (
      <LoadMore
        pages={goods.data?.pages.length ?? 0}
        loading={goods.isFetchingNextPage}
        onMore={more}
      />
    );
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
