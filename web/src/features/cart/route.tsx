import { ShoppingCart } from 'lucide-react';
import { useParams } from 'react-router-dom';
import '../../styles/parts/checkout.css';
import '../../styles/parts/paybar.css';
import { Screen } from '../../app/Screen.js';
import { useDeliveryFee, useSingle } from '../../stores/cart.js';
import { ButtonLink } from '../../ui/Button.js';
import { EmptyState } from '../../ui/States.js';
import { Stepper } from '../../ui/Stepper.js';
import { CartBar, CartSummary } from './CartSummary.js';
import { GoneGoods } from './GoneGoods.js';
import { SellerPanel } from './SellerPanel.js';
import { totalsOf } from './totals.js';
import { useFreshCart } from './use-fresh-cart.js';
import './cart.css';

/** 'single', also written 'single order' or 'single-order'. */
const isSingle = (mode: string) => /^single([ -]order)?$/i.test(mode.trim());

/** The whole cart, whatever its mode; after Single order the chosen row is marked. */
export function Component() {
  const { mode = '' } = useParams();
  const { items, gone, before } = useFreshCart();
  const single = useSingle();
  const fee = useDeliveryFee();
  if (items.length + gone.length === 0) return <EmptyCart />;

  const totals = totalsOf(items, fee);
  const blocked = gone.length > 0 || totals.tooMuch;
  return (
    <>
      <Screen title="Your cart" className="page cart">
        <div className="cartl">
          <h1>Your cart</h1>
          <div>
            <Stepper now={1} />
          </div>
        </div>
        <div className="two">
          <div className="stack">
            <GoneGoods items={gone} />
            {totals.groups.map((group) => (
              <SellerPanel
                key={group.sellerId}
                group={group}
                before={before}
                chosen={isSingle(mode) ? single : null}
              />
            ))}
          </div>
          {items.length > 0 && <CartSummary totals={totals} blocked={blocked} />}
        </div>
      </Screen>
      {items.length > 0 && <CartBar totals={totals} blocked={blocked} />}
    </>
  );
}

function EmptyCart() {
  return (
    <Screen title="Your cart" className="page">
      <EmptyState
        motif="seeds"
        icon={ShoppingCart}
        headingLevel="h1"
        title="Oops!!! Cart is empty"
        line="What you add on a product's card waits for you here."
        action={<ButtonLink to="/">Go to the market</ButtonLink>}
      />
    </Screen>
  );
}
