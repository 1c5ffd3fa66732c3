import { productPath, storePath } from '@oja/contracts/pages';
import { formatNaira, limits } from '@oja/domain/rules';
import { MapPin, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { type CartItem, removeFromCart } from '../../stores/cart.js';
import { setQuantity } from '../../stores/cart-checkout.js';
import { Badge } from '../../ui/Badge.js';
import { Button } from '../../ui/Button.js';
import { SellerSwatch } from '../../ui/Cloth.js';
import { classes } from '../../ui/classes.js';
import { Message } from '../../ui/Field.js';
import { focusHeading } from '../../ui/focus.js';
import { Icon } from '../../ui/Icon.js';
import { Link } from '../../ui/Link.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import { Picture } from '../../ui/Picture.js';
import { Naira, Price } from '../../ui/Price.js';
import * as productCardStyles from '../../ui/ProductCard.module.css';
import { Quantity } from '../../ui/Quantity.js';
import * as sellerGroupStyles from '../../ui/SellerGroup.module.css';
import { toastRemoved } from '../goods/GoodsList.js';
import * as styles from './SellerPanel.module.css';
import type { SellerGroup } from './totals.js';

interface SellerPanelProps {
  readonly group: SellerGroup;
  readonly before: ReadonlyMap<string, number>;
  /** Product id → pieces in stock, for products whose seller counts them. */
  readonly left: ReadonlyMap<string, number>;
  /** Id of the product chosen by Single order. */
  readonly chosen: string | null;
}

/** The cart items of one seller, with their subtotal. */
export function SellerPanel({ group, before, left, chosen }: SellerPanelProps) {
  const id = useId();
  const { sellerId, businessName, place, lines, subtotal } = group;
  return (
    <section className={`${panelStyles.panel} ${sellerGroupStyles.group}`} aria-labelledby={id}>
      <div className={`${productCardStyles.seller} ${styles.seller}`}>
        <SellerSwatch sellerId={sellerId} size={24} />
        <h2 id={id} className={productCardStyles.sellerName}>
          <Link to={storePath(businessName)}>{businessName}</Link>
        </h2>
        {place !== undefined && (
          <p className={productCardStyles.place}>
            <Icon of={MapPin} size="xs" />
            <span>{place}</span>
          </p>
        )}
      </div>
      <ul>
        {lines.map((item) => (
          <CartLine
            key={item.product_id}
            item={item}
            before={before.get(item.product_id)}
            left={left.get(item.product_id) ?? limits.quantity.max}
            chosen={item.product_id === chosen}
          />
        ))}
      </ul>
      <p className={`${panelStyles.amountLine} ${layout.small}`}>
        <span className={layout.muted}>From this seller</span>
        <b className={layout.figures}>{formatNaira(subtotal)}</b>
      </p>
    </section>
  );
}

interface CartLineProps {
  readonly item: CartItem;
  /** Price in naira before the seller changed it. */
  readonly before: number | undefined;
  /** The largest quantity that can be ordered. */
  readonly left: number;
  /** Whether the product was chosen by Single order. */
  readonly chosen: boolean;
}

function CartLine({ item, before, left, chosen }: CartLineProps) {
  const { product_id, user_id, quantity, price, prod_name = 'Product' } = item;
  const path = productPath({ product_id, subcategory_id: item.subcategory_id ?? 0 });
  const remove = () => {
    const removed = removeFromCart(product_id);
    if (removed === undefined) return;
    toastRemoved(removed);
    focusHeading();
  };
  return (
    <li className={classes(styles.product, chosen && styles.chosen)}>
      <Link to={path} tabIndex={-1} aria-hidden="true">
        <Picture url={item.image_url} alt="" width={88} sizes="88px" />
      </Link>
      <div className={layout.grow}>
        {chosen && <Badge tone="ind">Single order</Badge>}
        <Link className={productCardStyles.sellerName} to={path}>
          {prod_name}
        </Link>
        {price !== undefined && <Price amount={price} />}
        {before !== undefined && before !== price && (
          <p className={`${layout.small} ${layout.muted}`}>
            The seller changed the price. It was <Naira amount={before} />.
          </p>
        )}
        {quantity > left && (
          <Message kind="err" role="alert">
            Only {left} left. Choose fewer to continue to payment.
          </Message>
        )}
        {quantity === left && left !== limits.quantity.max && (
          <p className={`${layout.small} ${layout.muted}`}>The seller has no more.</p>
        )}
        <div className={`${layout.row} ${layout.spaceBetween} ${styles.actions}`}>
          <Quantity
            of={prod_name}
            value={quantity}
            min={limits.quantity.min}
            max={Math.min(left, limits.quantity.max)}
            onChange={(next) => setQuantity(product_id, user_id, next)}
          />
          <Button
            look="ghost"
            size="s"
            className={styles.remove}
            // The second click of a double click would remove the product that has moved here.
            onClick={({ detail }) => detail > 1 || remove()}
          >
            <Icon of={Trash2} size="s" />
            Remove<span className={layout.visuallyHidden}> {prod_name}</span>
          </Button>
        </div>
      </div>
    </li>
  );
}
