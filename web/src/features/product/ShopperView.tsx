import { categoryPath, pagePaths, storePath } from '@oja/contracts/pages';
import { DELIVERY_THRESHOLD, deliveryFee, nairaToKobo } from '@oja/domain/rules';
import { useQuery } from '@tanstack/react-query';
import {
  ChevronRight,
  CreditCard,
  MapPin,
  MessageSquareText,
  PackageCheck,
  PackageSearch,
  ShoppingBasket,
  ShoppingCart,
  Truck,
} from 'lucide-react';
import { useEffect, useId } from 'react';
import { isListed } from '../../api/goods-by-ids.js';
import type { Product } from '../../api/types.js';
import { Screen } from '../../app/Screen.js';
import { useDeliveryFee } from '../../stores/cart.js';
import { rememberSeen } from '../../stores/saved-and-seen.js';
import { Badge } from '../../ui/Badge.js';
import { Breadcrumb } from '../../ui/Breadcrumb.js';
import { Button, ButtonLink } from '../../ui/Button.js';
import { SellerSwatch } from '../../ui/Cloth.js';
import { FEE } from '../../ui/delivery-rule.js';
import { EscrowLine, EscrowNotice } from '../../ui/EscrowNotice.js';
import { focusHeading } from '../../ui/focus.js';
import { Gallery } from '../../ui/Gallery.js';
import { Icon } from '../../ui/Icon.js';
import { Link } from '../../ui/Link.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import * as payBarStyles from '../../ui/PayBar.module.css';
import { Naira, Price } from '../../ui/Price.js';
import { CartToggle, SaveToggle } from '../../ui/ProductCard.js';
import * as productCardStyles from '../../ui/ProductCard.module.css';
import { EmptyState, LoadFailed } from '../../ui/States.js';
import { GoodsGrid, useCardActions } from '../goods/GoodsList.js';
import { RecentlySeen } from '../saved/RecentlySeen.js';
import * as productPageStyles from './ProductPage.module.css';
import { givenAttributes, SIMILAR_COUNT, similarQuery } from './product-data.js';
import { Share } from './Share.js';
import * as styles from './ShopperView.module.css';

/** From this stock down, the page says how many pieces are left. */
const LOW_STOCK = 5;

/** A product as shoppers see it. */
export function ShopperView({ product }: { readonly product: Product }) {
  const { prod_name, price, prod_condition, businessName, description, image_urls } = product;
  const { top_category, subcategory_name } = product;
  const forSale = isListed(product);
  const left = product.stock ?? Number.POSITIVE_INFINITY;
  const canBuy = forSale && left > 0;
  const actions = useCardActions(product);
  const attributes = givenAttributes(product);
  useEffect(() => rememberSeen(product.product_id), [product.product_id]);
  return (
    <Screen
      title={prod_name}
      className={`${layout.page} ${productPageStyles.page} ${styles.screen}`}
    >
      <Breadcrumb
        crumbs={[
          { label: 'Home', to: pagePaths.home },
          { label: top_category, to: categoryPath(top_category) },
          { label: subcategory_name, to: categoryPath(top_category, subcategory_name) },
        ]}
      />
      <div className={productPageStyles.columns}>
        <div className={styles.pictures}>
          <Gallery urls={image_urls} name={prod_name} />
          {canBuy && <MoneySteps price={price} />}
        </div>
        <section aria-label="Buy">
          <h1 dir="auto">{prod_name}</h1>
          <div className={`${layout.row} ${styles.priceLine}`}>
            <Price amount={price} size="big" />
            {prod_condition !== undefined && <Badge tone="ind">{prod_condition}</Badge>}
            {!forSale && <Badge>Not available just now</Badge>}
            {forSale && left === 0 && <Badge tone="bad">Sold out</Badge>}
            {canBuy && left <= LOW_STOCK && <Badge tone="wait">Only {left} left</Badge>}
            <div className={`${layout.row} ${styles.signs}`}>
              <SaveToggle {...actions} name={prod_name} />
              <Share product={product} />
            </div>
          </div>
          <SellerRow product={product} />
          {canBuy && <BuyButtons name={prod_name} {...actions} />}
          {!canBuy && actions.inCart && <RemoveFromCart onToggle={actions.onToggle} />}
          <div className={styles.escrow}>
            <EscrowNotice>
              Oja keeps your{' '}
              <span className={layout.figures}>
                <Naira amount={price} />
              </span>{' '}
              and pays {businessName} only after you say it arrived. Not delivered? You are
              refunded.
            </EscrowNotice>
          </div>
          <Facts product={product} />
          {attributes.length > 0 && (
            <>
              <h2 className={layout.heading}>Details</h2>
              <dl className={styles.tiles}>
                {attributes.map(({ name, label, value }) => (
                  <div key={name}>
                    <dt>{label}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
              </dl>
            </>
          )}
          <h2 className={layout.heading}>Description</h2>
          <p className={styles.description} dir="auto">
            {description}
          </p>
          <Link className={styles.reviews} to={pagePaths.reviews}>
            <Icon of={MessageSquareText} />
            <span className={layout.link}>What shoppers say of Oja</span>
          </Link>
        </section>
      </div>
      {canBuy && <BuyBar name={prod_name} price={price} {...actions} />}
      <SimilarProducts product={product} />
      <RecentlySeen excludedId={product.product_id} />
    </Screen>
  );
}

/** The seller, with a link to their store. */
function SellerRow({ product }: { readonly product: Product }) {
  return (
    <Link className={styles.seller} to={storePath(product.businessName)}>
      <SellerSwatch sellerId={product.user_id} size={44} />
      <span className={layout.grow}>
        <b>{product.businessName}</b>
        <span className={productCardStyles.place}>
          <Icon of={MapPin} size="xs" />
          {product.local_govt}, {product.state}
        </span>
      </span>
      <Icon of={ChevronRight} />
    </Link>
  );
}

/** The delivery fee when this product alone is ordered, and the place it is sold from. */
function Facts({ product }: { readonly product: Product }) {
  const current = useDeliveryFee();
  const price = nairaToKobo(product.price);
  const isFree = deliveryFee(price, nairaToKobo(current)) === 0;
  // At exactly the threshold there may be no fee, but no promise either.
  const free = price > DELIVERY_THRESHOLD ? 'No fee, delivered in 24 hours' : 'No fee';
  return (
    <dl className={styles.facts}>
      <div>
        <Icon of={Truck} />
        <dt>Delivery</dt>
        <dd>{isFree ? free : `Delivery fee of ${FEE}`}</dd>
      </div>
      <div>
        <Icon of={MapPin} />
        <dt>Sold from</dt>
        <dd>
          {product.local_govt}, {product.state}
        </dd>
      </div>
    </dl>
  );
}

interface BuyActions {
  readonly name: string;
  readonly inCart: boolean;
  readonly onSingleOrder: () => void;
  readonly onToggle: () => void;
}

/** From 768 px on, beside the pictures. */
function BuyButtons({ inCart, onSingleOrder, onToggle }: BuyActions) {
  return (
    <div className={layout.onlyWide}>
      <div className={styles.actions}>
        <Button look="buy" size="l" className={layout.grow} onClick={onSingleOrder}>
          Single order
        </Button>
        <Button
          look="line"
          size="l"
          className={styles.cartToggle}
          data-in-cart={inCart || undefined}
          onClick={({ detail }) => detail > 1 || onToggle()}
        >
          <Icon of={ShoppingCart} />
          {inCart ? 'Remove from cart' : 'Add to cart'}
        </Button>
      </div>
    </div>
  );
}

/** Shown instead of the buy buttons for a product in the cart that can no longer be bought. */
function RemoveFromCart({ onToggle }: Pick<BuyActions, 'onToggle'>) {
  const press = () => {
    onToggle();
    // The button is gone with the product.
    focusHeading();
  };
  return (
    <div className={styles.actions}>
      <Button look="line" size="l" className={layout.grow} onClick={press}>
        <Icon of={ShoppingCart} />
        Remove from cart
      </Button>
    </div>
  );
}

/** On phones: stuck to the bottom of the window, within reach of the thumb. */
function BuyBar({ price, name, ...acts }: BuyActions & { readonly price: number }) {
  return (
    <section className={`${payBarStyles.bar} ${layout.onlyNarrow}`} aria-label="Order">
      <div className={layout.page}>
        <div className={layout.row}>
          <Price amount={price} size="mid" className={layout.grow} />
          <CartToggle inCart={acts.inCart} onToggle={acts.onToggle} name={name} />
          <Button look="buy" onClick={acts.onSingleOrder}>
            Single order
          </Button>
        </div>
        <EscrowLine />
      </div>
    </section>
  );
}

/** Below the pictures on wide screens: where the shopper's money is at each step. */
function MoneySteps({ price }: { readonly price: number }) {
  const id = useId();
  const amount = (
    <span className={layout.figures}>
      <Naira amount={price} />
    </span>
  );
  const steps = [
    { icon: ShoppingBasket, name: 'Order', line: 'Press Single order.' },
    { icon: CreditCard, name: 'Pay', line: <>{amount} by card. Oja holds it.</> },
    { icon: Truck, name: 'Deliver', line: 'To the address you give.' },
    { icon: PackageCheck, name: 'Confirm', line: 'You say Yes, then the seller is paid.' },
  ];
  return (
    <section
      className={`${styles.steps} ${panelStyles.panel} ${layout.onlyWide}`}
      aria-labelledby={id}
    >
      <h2 className={layout.heading} id={id}>
        What happens to your money
      </h2>
      <ol>
        {steps.map(({ icon, name, line }) => (
          <li key={name}>
            <span className={styles.sign}>
              <Icon of={icon} />
            </span>
            <b>{name}</b>
            <p>{line}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Other products of the same subcategory. */
function SimilarProducts({ product }: { readonly product: Product }) {
  const { subcategory_name: subcategory, top_category: category } = product;
  return (
    <section className={layout.section} aria-labelledby="similar">
      <div className={layout.sectionHead}>
        <h2 id="similar">Similar Products</h2>
        <Link className={layout.link} to={categoryPath(category, subcategory)}>
          See all<span className={layout.visuallyHidden}> {subcategory}</span>
        </Link>
      </div>
      <SimilarList product={product} />
    </section>
  );
}

function SimilarList({ product }: { readonly product: Product }) {
  const { top_category: category } = product;
  const { data, isPending, refetch } = useQuery(similarQuery(product));
  if (isPending) return <GoodsGrid products={[]} five rows placeholders={SIMILAR_COUNT} />;
  if (data === undefined) return <LoadFailed onRetry={() => void refetch()} />;
  const others = data.result.filter(({ product_id }) => product_id !== product.product_id);
  if (others.length === 0)
    return (
      <EmptyState
        motif="seeds"
        icon={PackageSearch}
        paper
        title="No similar product currently available..."
        action={
          <ButtonLink look="line" to={categoryPath(category)}>
            More in {category}
          </ButtonLink>
        }
      />
    );
  return <GoodsGrid products={others.slice(0, SIMILAR_COUNT)} five rows />;
}
