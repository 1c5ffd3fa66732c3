import { lazy, Suspense } from 'react';
import { Navigate, useParams, useSearchParams } from 'react-router-dom';
import { useUser } from '../../stores/session.js';
import { productPath } from '../../ui/paths.js';
import { ProductScreen } from './ProductScreen.js';
import { ProductSkeleton } from './ProductSkeleton.js';
import { ShopperView } from './ShopperView.js';

/** Only sellers fetch it, and only for their own goods. */
const OwnerView = lazy(() => import('./OwnerView.js'));

/** A product's own page: the seller's view for its owner, the shopper's for everyone else. */
export function Component() {
  const { subcategory_id: shelf = '', product_id: id = '' } = useParams();
  const [params] = useSearchParams();
  const user = useUser();
  const asShopper = params.get('view') === 'shopper';
  return (
    <ProductScreen key={id} productId={id}>
      {(product) => {
        if (shelf !== String(product.subcategory_id))
          return <Navigate to={productPath(product)} replace />;
        if (user?.user_id !== product.user_id || asShopper)
          return <ShopperView product={product} />;
        return (
          <Suspense fallback={<ProductSkeleton />}>
            <OwnerView product={product} />
          </Suspense>
        );
      }}
    </ProductScreen>
  );
}
