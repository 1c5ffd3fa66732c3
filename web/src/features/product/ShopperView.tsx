import { MessageSquareText } from 'lucide-react';
import { Link } from 'react-router-dom';
import '../../styles/parts/paybar.css';
import type { Product } from '../../api/types.js';
import { Screen } from '../../app/Screen.js';
import { Badge } from '../../ui/Badge.js';
import { Breadcrumb } from '../../ui/Breadcrumb.js';
import { Gallery } from '../../ui/Gallery.js';
import { HeldBox } from '../../ui/Held.js';
import { Icon } from '../../ui/Icon.js';
import { Naira, Price } from '../../ui/Price.js';
import { categoryPath } from '../../ui/paths.js';
import { useCardActions } from '../goods/use-card-actions.js';
import { attributesOf } from './attributes.js';
import { BuyBar, BuyButtons } from './BuyActs.js';
import { Facts } from './Facts.js';
import { MoneySteps } from './MoneySteps.js';
import { SellerRow } from './SellerRow.js';
import { SimilarProducts } from './SimilarProducts.js';
import './product.css';

/** In no list just now: its own page still says what it is. */
const isForSale = (product: Product) =>
  product.status === 'AVAILABLE' && product.is_suspended === 0;

/** A product as shoppers see it. */
export function ShopperView({ product }: { readonly product: Product }) {
  const { prod_name, price, prod_condition, businessName, description, image_urls } = product;
  const { top_category, subcategory_name } = product;
  const forSale = isForSale(product);
  const actions = useCardActions(product);
  const attributes = attributesOf(product);
  return (
    <>
      <Screen title={prod_name} className="page product">
        <Breadcrumb
          crumbs={[
            { label: 'Home', to: '/' },
            { label: top_category, to: categoryPath(top_category) },
            { label: subcategory_name, to: categoryPath(top_category, subcategory_name) },
          ]}
        />
        <div className="prod">
          <div className="pictures">
            <Gallery urls={image_urls} name={prod_name} />
            <MoneySteps price={price} />
          </div>
          <section className="buybox" aria-label="Buy">
            <h1>{prod_name}</h1>
            <div className="row priceline">
              <Price amount={price} size="big" />
              {prod_condition !== undefined && <Badge tone="ind">{prod_condition}</Badge>}
              {!forSale && <Badge>Not available just now</Badge>}
            </div>
            <SellerRow product={product} />
            {forSale && <BuyButtons name={prod_name} {...actions} />}
            <div className="heldplace">
              <HeldBox>
                Oja keeps your{' '}
                <span className="num">
                  <Naira amount={price} />
                </span>{' '}
                and pays {businessName} only after you say it arrived. Not delivered? You are
                refunded.
              </HeldBox>
            </div>
            <Facts product={product} />
            {attributes.length > 0 && (
              <>
                <h2 className="h3">Details</h2>
                <dl className="tiles">
                  {attributes.map(({ name, label, value }) => (
                    <div key={name}>
                      <dt>{label}</dt>
                      <dd>{value}</dd>
                    </div>
                  ))}
                </dl>
              </>
            )}
            <h2 className="h3">Description</h2>
            <p className="desc">{description}</p>
            <Link className="reviewline" to="/ratings-and-reviews">
              <Icon of={MessageSquareText} />
              <span className="link">What shoppers say of Oja</span>
            </Link>
          </section>
        </div>
        <SimilarProducts product={product} />
      </Screen>
      {forSale && <BuyBar name={prod_name} price={price} {...actions} />}
    </>
  );
}
