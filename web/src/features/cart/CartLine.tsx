import { limits } from '@oja/domain/rules';
import { Trash2 } from 'lucide-react';
import { Link } from 'react-router-dom';
import { focusHeading } from '../../app/use-route-focus.js';
import { type CartItem, removeFromCart, setQuantity } from '../../stores/cart.js';
import { Badge } from '../../ui/Badge.js';
import { Button } from '../../ui/Button.js';
import { classes } from '../../ui/classes.js';
import { Icon } from '../../ui/Icon.js';
import { Picture } from '../../ui/Picture.js';
import { Naira, Price } from '../../ui/Price.js';
import { productPath } from '../../ui/paths.js';
import { Quantity } from '../../ui/Quantity.js';
import { sayRemoved } from '../goods/say-removed.js';

interface CartLineProps {
  readonly item: CartItem;
  /** Its price, in naira, before it changed. */
  readonly before: number | undefined;
  /** Chosen by Single order. */
  readonly chosen: boolean;
}

/** One product of the cart. */
export function CartLine({ item, before, chosen }: CartLineProps) {
  const { product_id, user_id, quantity, price, prod_name = 'Product' } = item;
  const path = productPath({ product_id, subcategory_id: item.subcategory_id ?? 0 });
  const remove = () => {
    const removed = removeFromCart(product_id);
    if (removed === undefined) return;
    sayRemoved(removed);
    focusHeading();
  };
  return (
    <li className={classes('cline', chosen && 'chosen')}>
      <Link to={path} tabIndex={-1} aria-hidden="true">
        <Picture url={item.image_url} alt="" width={88} sizes="88px" />
      </Link>
      <div className="grow">
        {chosen && <Badge tone="ind">Single order</Badge>}
        <Link className="nm" to={path}>
          {prod_name}
        </Link>
        {price !== undefined && <Price amount={price} />}
        {before !== undefined && (
          <p className="small muted">
            Its seller changed the price. It was <Naira amount={before} />.
          </p>
        )}
        <div className="row spread lineacts">
          <Quantity
            of={prod_name}
            value={quantity}
            min={limits.quantity.min}
            max={limits.quantity.max}
            onChange={(next) => setQuantity(product_id, user_id, next)}
          />
          <Button look="ghost" size="s" className="remove" onClick={remove}>
            <Icon of={Trash2} size="s" />
            Remove<span className="vh"> {prod_name}</span>
          </Button>
        </div>
      </div>
    </li>
  );
}
