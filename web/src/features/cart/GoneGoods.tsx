import { PackageX } from 'lucide-react';
import { focusHeading } from '../../app/use-route-focus.js';
import { type CartItem, removeFromCart } from '../../stores/cart.js';
import { Button } from '../../ui/Button.js';
import { Icon } from '../../ui/Icon.js';

/** What cannot be ordered any more, by name. Nothing leaves the cart unasked. */
export function GoneGoods({ items }: { readonly items: readonly CartItem[] }) {
  if (items.length === 0) return null;
  const takeOut = () => {
    for (const { product_id } of items) removeFromCart(product_id);
    focusHeading();
  };
  return (
    <section className="panel gone" role="status" aria-label="No longer available">
      <Icon of={PackageX} />
      <div className="grow">
        <h2 className="h3">
          {items.length === 1 ? 'One product is' : `${items.length} products are`} no longer
          available
        </h2>
        <ul>
          {items.map(({ product_id, prod_name = 'A product', businessName }) => (
            <li key={product_id}>
              {prod_name}
              {businessName !== undefined && <span className="muted">, {businessName}</span>}
            </li>
          ))}
        </ul>
        <p className="small muted">
          {items.length === 1
            ? 'It is not counted. Take it out to go on to payment.'
            : 'They are not counted. Take them out to go on to payment.'}
        </p>
        <Button look="line" size="s" onClick={takeOut}>
          {items.length === 1 ? 'Take it out of the cart' : 'Take them out of the cart'}
        </Button>
      </div>
    </section>
  );
}
