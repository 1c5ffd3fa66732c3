import { ShoppingCart } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useCartCount } from '../../stores/cart.js';
import { classes } from '../../ui/classes.js';
import { Icon } from '../../ui/Icon.js';

/** The cart with its count, which grows once and back when it changes. */
export function CartLink({ className }: { readonly className?: string }) {
  const count = useCartCount();
  return (
    <Link
      className={classes('ib', className)}
      to="/cart-contents/multiple-order"
      aria-label={`Cart, ${count} ${count === 1 ? 'item' : 'items'}`}
    >
      <Icon of={ShoppingCart} size="l" />
      {count > 0 && (
        <span key={count} className="count">
          {count}
        </span>
      )}
    </Link>
  );
}
