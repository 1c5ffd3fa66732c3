import { categoryPath, pagePaths } from '@oja/contracts/pages';
import { type CategoryName, categories } from '@oja/domain/rules';
import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router-dom';
import type { UserDetails } from '../../api/types.js';
import { Screen } from '../../app/Screen.js';
import { useUser } from '../../stores/session.js';
import { Carousel } from '../../ui/Carousel.js';
import * as carouselStyles from '../../ui/Carousel.module.css';
import { Cloth, categoryMotif } from '../../ui/Cloth.js';
import * as clothStyles from '../../ui/Cloth.module.css';
import { EscrowStrip } from '../../ui/EscrowNotice.js';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import { CardSkeletons } from '../../ui/Skeleton.js';
import { useAfterPaint } from '../../ui/use-browser.js';
import { GoodsCard } from '../goods/GoodsList.js';
import { subcategoryPicture } from '../goods/subcategory-pictures.js';
import * as styles from './HomePage.module.css';
import { trendingQuery } from './queries.js';
import { Goods } from './RegionGoods.js';

export { fillHome as fill } from './queries.js';

const OverHome = lazy(() => import('./OverHome.js'));

/** Home: trending goods, the goods of a region, the categories, and the way to sell. */
export default function HomePage() {
  const painted = useAfterPaint();
  return (
    <>
      <EscrowStrip />
      <Screen title="Market day, every day" className={styles.home}>
        <h1 className={layout.visuallyHidden}>Oja, the market</h1>
        <Trending />
        <Goods />
        <Categories />
        <div className={layout.page}>
          <SellBand />
        </div>
        {painted && (
          <Suspense>
            <OverHome />
          </Suspense>
        )}
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
export function SellBand() {
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
