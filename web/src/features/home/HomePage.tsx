import { categoryPath, pagePaths } from '@oja/contracts/pages';
import { type CategoryName, categories, limits } from '@oja/domain/rules';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ArrowRight, ChevronDown, ChevronUp, MapPinOff } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLocation, useNavigationType, useSearchParams } from 'react-router-dom';
import type { Product, UserDetails } from '../../api/types.js';
import { readLocalGovt } from '../../app/address.js';
import { Screen } from '../../app/Screen.js';
import { useUser } from '../../stores/session.js';
import { Button } from '../../ui/Button.js';
import { Carousel } from '../../ui/Carousel.js';
import * as carouselStyles from '../../ui/Carousel.module.css';
import { Cloth, categoryMotif } from '../../ui/Cloth.js';
import * as clothStyles from '../../ui/Cloth.module.css';
import { classes } from '../../ui/classes.js';
import { EscrowStrip } from '../../ui/EscrowNotice.js';
import { Icon } from '../../ui/Icon.js';
import { Link } from '../../ui/Link.js';
import * as layout from '../../ui/layout.module.css';
import { AfterPaint, lazyOptional } from '../../ui/lazy.js';
import * as panelStyles from '../../ui/Panel.module.css';
import { formatCount } from '../../ui/Price.js';
import { CardSkeletons } from '../../ui/Skeleton.js';
import { EmptyState, LoadFailed, StepButton } from '../../ui/States.js';
import { GoodsCard, GoodsGrid, MoreGoods, uniqueProducts } from '../goods/GoodsList.js';
import { PlacePicker } from '../goods/PlacePicker.js';
import { createEntryStorage } from '../goods/scroll-position.js';
import { subcategoryPicture } from '../goods/subcategory-pictures.js';
import * as styles from './HomePage.module.css';
import { regionQuery, trendingQuery } from './queries.js';

export { prefetchHome as prefetch } from './queries.js';

const Overlays = lazyOptional(() => import('./Overlays.js'));

/** Home: trending goods, the goods of a region, the categories, and the way to sell. */
export default function HomePage() {
  return (
    <>
      <EscrowStrip />
      <Screen title="Market day, every day">
        <div className={styles.home}>
          <h1 className={layout.visuallyHidden}>Oja, the market</h1>
          <Trending />
          <Goods />
          <Categories />
          <div className={layout.page}>
            <SellBand />
          </div>
          <AfterPaint>
            <Overlays />
          </AfterPaint>
        </div>
      </Screen>
    </>
  );
}

/** A carousel of trending goods on cloth. Left out when it is empty or did not load: the list below says why. */
export function Trending() {
  const { data, isPending, isError } = useQuery(trendingQuery);
  if ((data === undefined && isError) || data?.result.length === 0) return null;
  return (
    <Cloth as="div" className={styles.trending}>
      {isPending ? (
        <TrendingSkeleton />
      ) : (
        <Carousel
          title="Trending products"
          items={data.result}
          keyOf={(product) => product.product_id}
        >
          {(product) => <GoodsCard product={product} lead />}
        </Carousel>
      )}
    </Cloth>
  );
}

function TrendingSkeleton() {
  return (
    <section className={`${layout.page} ${layout.section}`} aria-busy="true">
      <div className={layout.sectionHead}>
        <h2>Trending products</h2>
      </div>
      <div className={`${carouselStyles.viewport} ${carouselStyles.moving}`}>
        <div className={carouselStyles.rail}>
          {[1, 2, 3, 4].map((place) => (
            <div key={place} className={carouselStyles.slide}>
              <CardSkeletons count={1} lead />
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}

/** The four categories with their subcategories. */
export function Categories() {
  return (
    <section className={`${layout.page} ${layout.section}`} aria-labelledby="categories">
      <div className={layout.sectionHead}>
        <h2 id="categories">CATEGORIES</h2>
      </div>
      <div className={styles.categories}>
        {categories.map(({ name, subcategories }) => (
          <Category key={name} name={name} subcategories={subcategories} />
        ))}
      </div>
    </section>
  );
}

function Category({
  name,
  subcategories,
}: {
  readonly name: CategoryName;
  readonly subcategories: readonly string[];
}) {
  return (
    <section className={`${styles.category} ${panelStyles.panel}`}>
      <Link
        className={`${styles.categoryHead} ${clothStyles.cloth}`}
        data-motif={categoryMotif[name]}
        to={categoryPath(name)}
      >
        <h3>{name}</h3>
        <Icon of={ArrowRight} />
      </Link>
      <ul>
        {subcategories.map((subcategory) => (
          <li key={subcategory}>
            <Link to={categoryPath(name, subcategory)}>
              <img
                src={subcategoryPicture(subcategory)}
                alt=""
                width="96"
                height="96"
                loading="lazy"
                decoding="async"
              />
              <span>{subcategory}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Admins go to their dashboard, sellers to upload, all others to sign up. */
export function sellPath(user: UserDetails | null): string {
  if (user === null) return pagePaths.register;
  return user.is_admin === 1 ? pagePaths.adminHome : pagePaths.upload;
}

/** The large round SELL link on the quilt. */
function SellBand() {
  const user = useUser();
  return (
    <Cloth as="section" className={styles.sellBand}>
      <div>
        <h2>Open a free store</h2>
        <p>
          List your goods in minutes. Buyers pay up front, Oja holds the money, and you are paid the
          day they confirm delivery.
        </p>
      </div>
      <Link className={styles.sell} to={sellPath(user)}>
        <Cloth as="span" motif="moon" />
        <b>SELL</b>
      </Link>
    </Cloth>
  );
}

/** Cards before 'view more': twelve, of which ten are shown where twelve do not fill the last row. */
const COLLAPSED_COUNT = 12;
const MIN_SHOWN = 10;

/** The goods of a region. The place is in the address, so Back restores it. */
function Goods() {
  const [params, setParams] = useSearchParams();
  const place = readLocalGovt(params);
  const choose = (localGovt: string | undefined) =>
    setParams(localGovt === undefined ? {} : { localGovt }, { preventScrollReset: true });
  const { data } = useInfiniteQuery(regionQuery(place));
  const total = data?.pages[0]?.total;

  return (
    <section className={`${layout.page} ${layout.section} ${styles.goods}`} aria-label="Products">
      <div className={layout.sectionHead}>
        <PlacePicker chosen={place} onChoose={choose} />
        <p className={`${layout.muted} ${layout.figures}`} role="status">
          {total !== undefined && formatCount(total, 'product')}
        </p>
      </div>
      <RegionList place={place} onAll={() => choose(undefined)} />
    </section>
  );
}

function RegionList({
  place,
  onAll,
}: {
  readonly place: string | undefined;
  readonly onAll: () => void;
}) {
  const [expanded, setExpanded] = useViewMore();
  const goods = useInfiniteQuery(regionQuery(place));
  // The order of the goods depends on the carousel's. The list waits for both, so that no card moves later.
  const carousel = useQuery(trendingQuery);
  if (goods.data === undefined || carousel.isLoading) {
    if (!goods.isError) return <GoodsGrid products={[]} five rows placeholders={COLLAPSED_COUNT} />;
    return <LoadFailed onRetry={() => void goods.refetch()} />;
  }
  const products = sortCarouselGoodsLast(
    uniqueProducts(goods.data.pages),
    carousel.data?.result ?? [],
  );
  if (products.length === 0) {
    return (
      <EmptyState
        motif="water"
        icon={MapPinOff}
        paper
        title="Products are currently not in this region!!"
        line="Try a neighbouring local government."
        action={<StepButton onPress={onAll}>All States/Local Govt</StepButton>}
      />
    );
  }
  const shown = expanded ? products : products.slice(0, COLLAPSED_COUNT);
  return (
    <>
      <GoodsGrid
        products={shown}
        five
        first
        rows={!expanded}
        placeholders={goods.isFetchingNextPage ? 5 : 0}
      />
      {expanded && <MoreGoods goods={goods} />}
      {products.length > MIN_SHOWN && (
        <p
          className={classes(
            layout.centered,
            layout.moreBelow,
            products.length <= COLLAPSED_COUNT && styles.onlyWhereTen,
          )}
        >
          <Button look="line" aria-expanded={expanded} onClick={() => setExpanded(!expanded)}>
            {expanded ? 'view less' : 'view more'}
            <Icon of={expanded ? ChevronUp : ChevronDown} size="s" />
          </Button>
        </p>
      )}
    </>
  );
}

/** On the first page, goods that the carousel shows already come last. */
function sortCarouselGoodsLast(
  products: readonly Product[],
  carouselGoods: readonly Product[],
): readonly Product[] {
  const carouselRank = ({ product_id: id }: Product) =>
    Number(carouselGoods.some(({ product_id }) => product_id === id));
  const page = products.slice(0, limits.page.size);
  page.sort((one, other) => carouselRank(one) - carouselRank(other));
  return [...page, ...products.slice(limits.page.size)];
}

const viewMoreStates = createEntryStorage('oja-view-more');

const noChanges = () => () => {};

/**
 * Whether 'view more' is open at this history entry; kept for Back and for a reload. A new entry for another place starts
 * with the state of the one before.
 */
function useViewMore(): [boolean, (next: boolean) => void] {
  const { key } = useLocation();
  const isBack = useNavigationType() === 'POP';
  // What the server has rendered is closed, and React takes it over as it is.
  const wasOpen = useSyncExternalStore(
    noChanges,
    () => viewMoreStates.read(key) === true,
    () => false,
  );
  const [now, setNow] = useState<{ readonly key: string; readonly open?: boolean | undefined }>({
    key,
  });
  if (now.key !== key)
    setNow({ key, open: isBack ? undefined : (now.open ?? viewMoreStates.read(now.key) === true) });
  useEffect(() => {
    if (now.open !== undefined) viewMoreStates.write(now.key, now.open);
  }, [now]);
  return [now.open ?? wasOpen, (open) => setNow({ key, open })];
}
