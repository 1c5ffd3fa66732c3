import { productPath } from '@oja/contracts/pages';
import { Navigate } from 'react-router-dom';
import { useOpened } from '../../stores/cart.js';
import { NoSuchProduct, ProductScreen } from './ProductPage.js';
import { ShopperView } from './ShopperView.js';

/** The product whose card was pressed. Once it is loaded, the address is replaced by one that can be shared. */
export default function OpenedProductPage() {
  const opened = useOpened();
  if (opened === null) return <NoSuchProduct />;
  return (
    <ProductScreen productId={opened}>
      {(product) => (
        <>
          <ShopperView product={product} />
          <Navigate to={productPath(product)} replace />
        </>
      )}
    </ProductScreen>
  );
}
