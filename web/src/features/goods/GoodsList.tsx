import { pagePath, pagePaths } from '@oja/contracts/pages';
import { limits } from '@oja/domain/rules';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { memo, type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { useNextPage } from '../../api/pagination.js';
import type { SearchAnswer } from '../../api/products.js';
import type { Product } from '../../api/types.js';
import {
  type CartProduct,
  type RemovedItem,
  rememberOpenedProduct,
  restoreToCart,
  startSingleOrder,
  toggleCart,
  useIsInCart,
} from '../../stores/cart.js';
import { toggleSaved, useIsSaved } from '../../stores/saved-and-seen.js';
import { Button } from '../../ui/Button.js';
import { classes } from '../../ui/classes.js';
import { useFocusNewItems } from '../../ui/focus.js';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import { type CardProduct, ProductCard } from '../../ui/ProductCard.js';
import * as productCardStyles from '../../ui/ProductCard.module.css';
import { CardSkeletons } from '../../ui/Skeleton.js';
import { LoadFailed } from '../../ui/States.js';
import { toast } from '../../ui/toast.js';
import * as styles from './GoodsList.module.css';
import { useRestoreListPosition } from './scroll-position.js';

/** A paged list of goods, in any state of loading. */
export type GoodsQueryResult = UseInfiniteQueryResult<InfiniteData<SearchAnswer>>;

/** The goods of all pages. A product that moved between two answers is listed once. */
export function uniqueProducts(pages: readonly SearchAnswer[]): readonly Product[] {
  const byId = new Map(pages.flatMap((page) => page.result).map((one) => [one.product_id, one]));
  return [...byId.values()];
}

/** Placeholders while the first goods load: full rows of 2, 3 and 4. */
const FIRST_SKELETONS = 12;

interface GoodsListProps {
  readonly goods: GoodsQueryResult;
  /** Shown when nothing was found: why, and a next step. */
  readonly empty: ReactNode;
  readonly five?: boolean;
  readonly hideSeller?: boolean;
}

/** A list of goods in any state: loading, loaded, empty, failed or offline. */
export function GoodsList({ goods, empty, five = false, hideSeller = false }: GoodsListProps) {
  if (goods.data === undefined) {
    if (!goods.isError)
      return <GoodsGrid products={[]} five={five} placeholders={FIRST_SKELETONS} />;
    return <LoadFailed onRetry={() => void goods.refetch()} />;
  }
  const products = uniqueProducts(goods.data.pages);
  if (products.length === 0) return empty;
  return (
    <>
      <GoodsGrid products={products} five={five} hideSeller={hideSeller} first />
      <MoreGoods goods={goods} />
      {goods.data.pages.length > 1 || goods.hasNextPage ? (
        <p
          className={`${layout.centered} ${layout.small} ${layout.muted} ${layout.figures} ${styles.shown}`}
          role="status"
        >
          {products.length.toLocaleString('en-NG')} of{' '}
          {(goods.data.pages[0]?.total ?? products.length).toLocaleString('en-NG')}
        </p>
      ) : null}
    </>
  );
}

/** The first cards are in view when the page opens: their pictures load at once. */
const EAGER_CARDS = 4;

interface GoodsGridProps {
  readonly products: readonly CardProduct[];
  /** Five per row from 1170 px on, for lists that take the whole width. */
  readonly five?: boolean;
  readonly hideSeller?: boolean;
  /** Number of placeholders after the loaded cards. */
  readonly placeholders?: number;
  /** Show full rows only: of twelve cards, ten where two or five fit in a row. */
  readonly rows?: boolean;
  /** Whether the list is at the top of its page: its first pictures then load at once. */
  readonly first?: boolean;
}

export function GoodsGrid({
  products,
  five = false,
  hideSeller = false,
  placeholders = 0,
  first = false,
  rows = false,
}: GoodsGridProps) {
  return (
    <div
      className={classes(
        productCardStyles.grid,
        five && productCardStyles.fiveAcross,
        rows && productCardStyles.fullRows,
      )}
      aria-busy={placeholders > 0 || undefined}
    >
      {products.map((product, place) => (
        <GoodsCard
          key={product.product_id}
          product={product}
          hideSeller={hideSeller}
          eager={first && place < EAGER_CARDS}
        />
      ))}
      <CardSkeletons count={placeholders} />
    </div>
  );
}

interface GoodsCardProps {
  readonly product: CardProduct;
  readonly lead?: boolean;
  readonly hideSeller?: boolean;
  readonly eager?: boolean;
}

/** A product card connected to the cart. Memoised, as lists are long: a card renders again only when it has changed. */
export const GoodsCard = memo(function GoodsCard({ product, ...look }: GoodsCardProps) {
  const actions = useCardActions(product);
  return <ProductCard product={product} {...actions} {...look} />;
});

const toastListFull = (what: string, { max }: { readonly max: number }) =>
  toast.error(`${what} at most ${max} products.`, { duration: PRODUCT_TOAST_MS });
export const toastCartFull = () => toastListFull('A cart holds', limits.cartLines);

/** State and handlers of a product card, wherever it is shown. */
export function useCardActions(product: CartProduct) {
  const navigate = useNavigate();
  const { product_id: id } = product;
  const inCart = useIsInCart(id);
  const isSaved = useIsSaved(id);
  return {
    inCart,
    isSaved,
    onSave() {
      if (toggleSaved(id) === 'full') toastListFull('Your list holds', limits.savedGoods);
    },
    onToggle() {
      const outcome = toggleCart(product);
      if (outcome === 'full') toastCartFull();
      if (typeof outcome !== 'string') toastRemoved(outcome);
    },
    onSingleOrder() {
      if (startSingleOrder(product) === 'full') toastCartFull();
      else void navigate(pagePath('cart', { mode: 'single' }));
    },
    onOpen() {
      rememberOpenedProduct(id);
      void navigate(pagePaths.openedProduct, { state: { pid: id } });
    },
  };
}

/** How long toasts about products stay, in ms. */
const PRODUCT_TOAST_MS = 3_000;

/** A toast after a removal from the cart, with an Undo that puts the item back in its old place. */
export function toastRemoved(removed: RemovedItem): void {
  toast.info('Removed from your cart.', {
    duration: PRODUCT_TOAST_MS,
    action: {
      label: 'Undo',
      onPress() {
        if (restoreToCart(removed) === 'full') toastCartFull();
      },
    },
  });
}

/** Loads the next page at the end of a list. If that fails, the list stays and the button offers another try. */
export function MoreGoods({
  goods,
}: {
  readonly goods: UseInfiniteQueryResult<InfiniteData<unknown>>;
}) {
  const { busy: loading, more } = useNextPage(goods);
  const pages = goods.data?.pages.length ?? 0;
  const canLoad = goods.hasNextPage && !goods.isFetchNextPageError;
  useRestoreListPosition({
    pages,
    isLoading: goods.isFetching || loading,
    loadMore: canLoad ? more : null,
  });
  if (!goods.hasNextPage) return null;
  return (
    <LoadMore
      pages={pages}
      loading={loading}
      // Said anew when another try fails too.
      failed={goods.isFetchNextPageError && !loading}
      onMore={more}
    />
  );
}

/** Pages that load by scrolling alone. After these the shopper must be able to reach the footer. */
const PAGES_BY_SCROLL = 3;
/** How far below the window the next page starts to load. */
const LOAD_MARGIN = '600px';

interface LoadMoreProps {
  readonly pages: number;
  readonly loading: boolean;
  readonly failed: boolean;
  readonly onMore: () => void;
}

/** Loads more on scrolling, later and after a failure by the button only. The button stays the same: it may have the focus. */
function LoadMore({ pages, loading, failed, onMore }: LoadMoreProps) {
  const place = useRef<HTMLDivElement>(null);
  const note = useFocusNewItems(place);
  const byScroll = pages < PAGES_BY_SCROLL && !failed;
  const more = useEffectEvent(onMore);

  useEffect(() => {
    if (!byScroll || loading || place.current === null) return;
    const observer = new IntersectionObserver(
      (seen) => {
        if (seen.some((entry) => entry.isIntersecting)) more();
      },
      { rootMargin: LOAD_MARGIN },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [byScroll, loading]);

  const press = () => {
    note();
    onMore();
  };
  return (
    <div ref={place} className={`${layout.centered} ${layout.moreBelow}`}>
      {failed && (
        <p className={layout.muted} role="alert">
          The next products did not load.
        </p>
      )}
      <Button look="line" busy={loading} onFocus={note} onClick={press}>
        {failed ? (
          <>
            <Icon of={RefreshCw} size="s" />
            Try again
          </>
        ) : (
          'Load more'
        )}
      </Button>
    </div>
  );
}
