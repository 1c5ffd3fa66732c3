import { ShoppingBasket } from 'lucide-react';
import { Screen } from '../../app/Screen.js';
import '../../styles/parts/checkout.css';
import { ButtonLink } from '../../ui/Button.js';
import { EmptyState, ErrorState, OfflineState } from '../../ui/States.js';
import { useOnline } from '../../ui/use-online.js';
import './checkout.css';
import { FormSkeleton } from './FormSkeleton.js';
import { GoodsGone } from './Notice.js';
import { PaymentForm } from './PaymentForm.js';
import { useBasket } from './use-basket.js';

/** Checkout: the cart, or the single product that was chosen, and who gets it. */
export function Component() {
  return (
    <Screen title="Checkout" className="page">
      <Checkout />
    </Screen>
  );
}

function Checkout() {
  const { basket, failed, gone, refetch } = useBasket();
  const online = useOnline();
  if (failed)
    return (
      <>
        <h1 className="vh">Where should it go?</h1>
        {online ? <ErrorState onRetry={() => void refetch()} /> : <OfflineState />}
      </>
    );
  if (basket === undefined) return <FormSkeleton />;
  if (basket.items.length > 0) return <PaymentForm basket={basket} gone={gone} refetch={refetch} />;
  return (
    <>
      {gone.length > 0 && <GoodsGone names={gone} />}
      <EmptyState
        motif="moon"
        icon={ShoppingBasket}
        headingLevel="h1"
        title="Oops!!! Cart is empty"
        line="There is nothing to pay for yet. Put something in your cart, or choose Single order on a product."
        action={<ButtonLink to="/">Go to the market</ButtonLink>}
      />
    </>
  );
}
