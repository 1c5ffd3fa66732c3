import { productPath, storePath } from '@oja/contracts/pages';
import { Heart, MapPin, ShoppingCart } from 'lucide-react';
import type { MouseEvent } from 'react';
import type { Product } from '../api/types.js';
import { Button } from './Button.js';
import { SellerSwatch } from './Cloth.js';
import { classes } from './classes.js';
import { Icon } from './Icon.js';
import { Link, opensNewTab } from './Link.js';
import { Picture } from './Picture.js';
import { Price } from './Price.js';
import * as styles from './ProductCard.module.css';

/** The fields of a product that a card shows. */
export type CardProduct = Pick<
  Product,
  | 'product_id'
  | 'user_id'
  | 'prod_name'
  | 'price'
  | 'prod_condition'
  | 'state'
  | 'local_govt'
  | 'subcategory_id'
  | 'image_urls'
  | 'businessName'
  | 'stock'
>;

interface ProductCardProps {
  readonly product: CardProduct;
  readonly inCart: boolean;
  readonly onSingleOrder: () => void;
  readonly onToggle: () => void;
  readonly isSaved: boolean;
  readonly onSave: () => void;
  /** The picture was pressed. Without it the picture is a plain link to the product's page. */
  readonly onOpen?: () => void;
  /** In the seller's own store the name is not needed. */
  readonly hideSeller?: boolean;
  /** In sight when the page opens: the picture is fetched at once. */
  readonly eager?: boolean;
}

/** A product in a list; `lead` is the wide form in the carousel. */
export function ProductCard({
  product,
  inCart,
  onSingleOrder,
  onToggle,
  isSaved,
  onSave,
  onOpen,
  hideSeller = false,
  eager = false,
  lead = false,
}: ProductCardProps & { readonly lead?: boolean }) {
  const open = (event: MouseEvent) => {
    if (!onOpen || opensNewTab(event)) return;
    event.preventDefault();
    onOpen();
  };
  const soldOut = product.stock === 0;
  const act = soldOut ? 'Sold out' : 'Single order';
  return (
    <article className={classes(styles.card, lead && styles.lead)}>
      <Link className={styles.picture} to={productPath(product)} onClick={open}>
        <Picture
          url={product.image_urls[0]}
          alt={product.prod_name}
          eager={eager}
          sizes={lead ? '128px' : cardSizes}
        />
        {product.prod_condition === 'Used' && <span className={styles.tag}>Used</span>}
      </Link>
      <SaveToggle isSaved={isSaved} onSave={onSave} name={product.prod_name} />
      <div className={styles.body}>
        {!hideSeller && (
          <Link className={styles.seller} to={storePath(product.businessName)}>
            <SellerSwatch sellerId={product.user_id} />
            <span className={styles.sellerName}>{product.businessName}</span>
          </Link>
        )}
        <Price amount={product.price} />
        <h3 className={styles.name}>{product.prod_name}</h3>
        <p className={styles.place}>
          <Icon of={MapPin} size="xs" />
          <span>
            {product.local_govt}, {product.state}
          </span>
        </p>
        <div className={styles.actions}>
          <Button
            look="soft"
            disabled={soldOut}
            aria-label={`${act}: ${product.prod_name}`}
            onClick={onSingleOrder}
          >
            {act}
          </Button>
          {(inCart || !soldOut) && (
            <CartToggle inCart={inCart} onToggle={onToggle} name={product.prod_name} />
          )}
        </div>
      </div>
    </article>
  );
}

/** The `sizes` of a card's picture. The server's preload of the home page must have the same value. */
const cardSizes =
  '(min-width: 1170px) 240px, (min-width: 992px) 25vw, (min-width: 640px) 33vw, 44vw';

interface CartToggleProps {
  readonly inCart: boolean;
  readonly onToggle: () => void;
  readonly name: string;
}

/**
 * The cart sign: red on a soft ground once the product is in the cart. Its name says what a press does. The second click
 * of a double click was meant for the state before the first.
 */
export function CartToggle({ inCart, onToggle, name }: CartToggleProps) {
  return (
    <button
      type="button"
      className={styles.cartToggle}
      data-in-cart={inCart || undefined}
      aria-label={`${inCart ? 'Remove from cart' : 'Add to cart'}: ${name}`}
      onClick={({ detail }) => detail > 1 || onToggle()}
    >
      <Icon of={ShoppingCart} />
    </button>
  );
}

interface SaveToggleProps {
  readonly isSaved: boolean;
  readonly onSave: () => void;
  readonly name: string;
}

/**
 * The heart: filled once the product is saved in this browser. Where that takes the card away, the second click of a double
 * click would hit the next one's.
 */
export function SaveToggle({ isSaved, onSave, name }: SaveToggleProps) {
  return (
    <button
      type="button"
      className={styles.save}
      aria-pressed={isSaved}
      aria-label={`Save: ${name}`}
      onClick={({ detail }) => detail > 1 || onSave()}
    >
      <Icon of={Heart} />
    </button>
  );
}
