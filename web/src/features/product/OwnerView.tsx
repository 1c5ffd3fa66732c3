import { pagePaths, productPath } from '@oja/contracts/pages';
import { useQuery } from '@tanstack/react-query';
import { EyeOff, Pencil } from 'lucide-react';
import { ownProductQuery } from '../../api/own-products.js';
import type { OwnProduct, Product } from '../../api/types.js';
import { mayAdminister, SignedIn } from '../../app/layouts/DashboardFrame.js';
import * as dashboardFrameStyles from '../../app/layouts/DashboardFrame.module.css';
import { SellerNav } from '../../app/layouts/DashboardLayout.js';
import { SuspendedStrip } from '../../app/layouts/SuspendedStrip.js';
import { Screen } from '../../app/Screen.js';
import { useIsSuspended } from '../../stores/session.js';
import { Badge } from '../../ui/Badge.js';
import { Breadcrumb } from '../../ui/Breadcrumb.js';
import { ButtonLink } from '../../ui/Button.js';
import { Gallery } from '../../ui/Gallery.js';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import { Naira, Price } from '../../ui/Price.js';
import { History } from '../history/History.js';
import * as styles from './OwnerView.module.css';
import * as productPageStyles from './ProductPage.module.css';
import { allAttributes } from './product-data.js';

/** The seller's own product, in the frame of the dashboard pages, once the session is confirmed. */
export default function OwnerView({ product }: { readonly product: Product }) {
  return (
    <SignedIn inLayout>
      {(user) => (
        <>
          {user.is_suspended === 1 && <SuspendedStrip />}
          <div className={`${layout.page} ${dashboardFrameStyles.dashboard}`}>
            <SellerNav sellerId={user.user_id} toAdmin={mayAdminister(user)} />
            <OwnProductScreen product={product} />
          </div>
        </>
      )}
    </SignedIn>
  );
}

/** A product as its seller sees it: its details, the seller's price, and its history. */
function OwnProductScreen({ product }: { readonly product: Product }) {
  const path = productPath(product);
  const { data: own } = useQuery(ownProductQuery(product.product_id));
  const suspended = useIsSuspended();
  return (
    <Screen title={product.prod_name} className={productPageStyles.page}>
      <Breadcrumb
        crumbs={[{ label: 'All Products', to: pagePaths.dashboard }, { label: product.prod_name }]}
      />
      <div className={productPageStyles.columns}>
        <Gallery urls={product.image_urls} name={product.prod_name} />
        <section className={styles.details} aria-label="Product details">
          {product.status === 'UNAVAILABLE' && <Badge icon={EyeOff}>Unavailable</Badge>}
          <h1 dir="auto">{product.prod_name}</h1>
          <Price amount={product.price} size="big" />
          {own && <SellerPrice product={own} />}
          <div className={`${layout.row} ${layout.wrap} ${styles.actions}`}>
            {!suspended && (
              <ButtonLink to={`${path}/update`}>
                <Icon of={Pencil} size="s" />
                edit details
              </ButtonLink>
            )}
            <ButtonLink look="line" to={`${path}?view=shopper`}>
              See it as shoppers do
            </ButtonLink>
          </div>
          <table className={styles.attributes}>
            <caption className={layout.visuallyHidden}>The product's details</caption>
            <tbody>
              {toRows(product).map(({ name, label, value }) => (
                <tr key={name}>
                  <th scope="row">{label}</th>
                  <td dir="auto">{value ?? <span className={layout.muted}>Not given</span>}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <section aria-label="History">
            <h2 className={layout.heading}>Who did what, when</h2>
            <History
              kind="product"
              id={product.product_id}
              names={{ [product.user_id]: product.businessName }}
            />
          </section>
        </section>
      </div>
    </Screen>
  );
}

function SellerPrice({ product }: { readonly product: OwnProduct }) {
  return (
    <p className={layout.muted}>
      Shoppers pay <Naira amount={product.price} />. You receive{' '}
      <b className={layout.figures}>
        <Naira amount={product.seller_price} />
      </b>
      {product.in_transaction && ', and it is in an order now'}.
    </p>
  );
}

const formatStock = (stock: number) =>
  stock === 0 ? 'None: sold out' : stock.toLocaleString('en-NG');

/** Every subcategory has a name, a price and a description; the attributes between them are its own. */
function toRows(product: Product) {
  return [
    { name: 'prod_name', label: 'Product name', value: product.prod_name },
    { name: 'price', label: 'Price', value: <Naira amount={product.price} /> },
    ...allAttributes(product),
    ...(product.stock === undefined
      ? []
      : [{ name: 'stock', label: 'Left to sell', value: formatStock(product.stock) }]),
    { name: 'place', label: 'Place', value: `${product.local_govt}, ${product.state}` },
    { name: 'description', label: 'Description', value: product.description },
  ];
}
