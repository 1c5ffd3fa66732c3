import { productPath } from '@oja/contracts/pages';
import { useState } from 'react';
import { type Location, useLocation } from 'react-router-dom';
import { useOpenedId } from '../../stores/cart.js';
import { CanonicalRedirect, NoSuchProduct, ProductScreen } from './ProductPage.js';

/** Router state that a card passes when its picture is pressed. */
interface OpenedFrom {
  readonly pid?: string;
}

/** The product whose card was pressed. Once it is loaded, the address is replaced by one that can be shared. */
export default function OpenedProductPage() {
  const { state }: Location<OpenedFrom | null> = useLocation();
  // All tabs share what is stored: as it was when the page opened, since another tab may open another product.
  const [stored] = useState(useOpenedId());
  const opened = state?.pid ?? stored;
  if (opened === null) return <NoSuchProduct />;
  return (
    <ProductScreen productId={opened}>
      {(product) => <CanonicalRedirect to={productPath(product)} />}
    </ProductScreen>
  );
}
