import { ShoppingCart } from 'lucide-react';
import { Button } from '../../ui/Button.js';
import { HeldLine } from '../../ui/Held.js';
import { Icon } from '../../ui/Icon.js';
import { Price } from '../../ui/Price.js';
import { CartToggle } from '../../ui/ProductCard.js';

interface BuyActs {
  readonly name: string;
  readonly inCart: boolean;
  readonly onSingleOrder: () => void;
  readonly onToggle: () => void;
}

/** From 768 beside the pictures. */
export function BuyButtons({ inCart, onSingleOrder, onToggle }: BuyActs) {
  return (
    <div className="only-l">
      <div className="buyacts">
        <Button look="buy" size="l" className="grow" onClick={onSingleOrder}>
          Single order
        </Button>
        <Button look="line" size="l" className="incart" aria-pressed={inCart} onClick={onToggle}>
          <Icon of={ShoppingCart} />
          {inCart ? 'Remove from cart' : 'Add to cart'}
        </Button>
      </div>
    </div>
  );
}

/** On phones: stuck to the foot, within reach of the thumb. */
export function BuyBar({ price, name, ...acts }: BuyActs & { readonly price: number }) {
  return (
    <section className="paybar only-s" aria-label="Order">
      <div className="page">
        <div className="row">
          <Price amount={price} size="mid" className="grow" />
          <CartToggle inCart={acts.inCart} onToggle={acts.onToggle} name={name} />
          <Button look="buy" onClick={acts.onSingleOrder}>
            Single order
          </Button>
        </div>
        <HeldLine />
      </div>
    </section>
  );
}
