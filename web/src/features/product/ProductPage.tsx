import { pagePaths, productPath } from '@oja/contracts/pages';
import { useQuery } from '@tanstack/react-query';
import { PackageSearch } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { useParams, useSearchParams } from 'react-router-dom';
import { isNotFound } from '../../api/failures.js';
import type { Product } from '../../api/types.js';
import { useReplaceAddress } from '../../app/navigation.js';
import { Screen } from '../../app/Screen.js';
import { useUser } from '../../stores/session.js';
import { ButtonLink } from '../../ui/Button.js';
import { GalleryFrame } from '../../ui/Gallery.js';
import * as layout from '../../ui/layout.module.css';
import { Skeleton } from '../../ui/Skeleton.js';
import { EmptyState, LoadFailed } from '../../ui/States.js';
import * as styles from './ProductPage.module.css';
import { productQuery } from './product-data.js';
import { ShopperView } from './ShopperView.js';

/** Loaded only when sellers open their own product. */
const OwnerView = lazy(() => import('./OwnerView.js'));

/** @public read when the server renders the page */
export { prefetchProduct as prefetch } from './product-data.js';

/** A product's page: the seller's view for its owner, the shopper's view for everyone else. */
export default function ProductPage() {
  const { subcategoryId: shelf = '', productId: id = '' } = useParams();
  const [params] = useSearchParams();
  const user = useUser();
  const asShopper = params.get('view') === 'shopper';
  return (
    <ProductScreen key={id} productId={id}>
      {(product) => {
        if (shelf !== String(product.subcategory_id))
          return <CanonicalRedirect to={productPath(product)} />;
        if (user?.user_id !== product.user_id || asShopper)
          return <ShopperView product={product} />;
        return (
          // The shoppers' page may have been rendered by the server, and be scrolled already.
          <Suspense fallback={<ShopperView product={product} />}>
            <OwnerView product={product} />
          </Suspense>
        );
      }}
    </ProductScreen>
  );
}

interface ProductScreenProps {
  readonly productId: string;
  readonly children: (product: Product) => ReactNode;
}

/** Loads a product, and shows the state that applies: loading, loaded, gone, unreachable or offline. */
export function ProductScreen({ productId, children }: ProductScreenProps) {
  const { data, error, isPending, refetch } = useQuery(productQuery(productId));
  if (isNotFound(error)) return <NoSuchProduct />;
  if (data !== undefined) return children(data);
  if (isPending) return <ProductSkeleton />;
  return (
    <Screen title="Product" className={layout.page}>
      <h1 className={layout.visuallyHidden}>Product</h1>
      <LoadFailed onRetry={() => void refetch()} />
    </Screen>
  );
}

/**
 * Replaces the address by the one that can be shared. The page stands there only, so that a slow phone builds it once
 * and nothing that was begun on it is lost.
 */
export function CanonicalRedirect({ to }: { readonly to: string }) {
  useReplaceAddress(to);
  return <ProductSkeleton />;
}

/** The page of a product that does not exist. */
export function NoSuchProduct() {
  return (
    <Screen title="No such product" className={layout.page}>
      <EmptyState
        motif="steps"
        icon={PackageSearch}
        headingLevel="h1"
        title="This product is not on the market"
        line="Its seller may have taken it down, or the link is not complete."
        action={<ButtonLink to={pagePaths.home}>Go to the market</ButtonLink>}
      />
    </Screen>
  );
}

/** Placeholder of a product that is loading, in the final size. */
function ProductSkeleton() {
  return (
    <Screen title="Product" className={layout.page}>
      <h1 className={layout.visuallyHidden}>Product</h1>
      <Skeleton width={220} height={18} className={styles.comingBreadcrumb} />
      <div className={styles.columns} aria-busy="true">
        <GalleryFrame>
          <Skeleton className={styles.comingPicture} />
        </GalleryFrame>
        <div className={layout.stack}>
          <Skeleton width="80%" height={34} />
          <Skeleton width={150} height={36} />
          <Skeleton height={66} />
          <Skeleton height={52} className={layout.onlyWide} />
          <Skeleton height={82} />
          <Skeleton height={80} />
        </div>
      </div>
    </Screen>
  );
}
