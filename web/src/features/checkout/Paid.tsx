import { DELIVERY_THRESHOLD, nairaToKobo } from '@oja/domain/rules';
import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { orderQuery } from '../../api/checkout.js';
import type { Order } from '../../api/types.js';
import { ButtonLink } from '../../ui/Button.js';
import { HeldBox } from '../../ui/Held.js';
import { Price } from '../../ui/Price.js';
import { Skeleton } from '../../ui/Skeleton.js';
import { listed } from './order-view.js';
import { Reference } from './Reference.js';
import { Seal } from './Seal.js';
import { messages } from './use-verification.js';

interface PaidProps {
  readonly reference: string;
  readonly orderKey: string | undefined;
}

/** The payment has arrived: what was paid, where the money is, and what comes next. */
export function Paid({ reference, orderKey }: PaidProps) {
  const order = useQuery({ ...orderQuery(orderKey ?? ''), enabled: orderKey !== undefined });
  return (
    <>
      <Seal of={Check} />
      <p className="muted small">Payment Verification</p>
      <h1>{messages.paid}</h1>
      {order.isLoading && <Skeleton className="sk-amount" />}
      {order.data && <Price size="big" className="paid" amount={order.data.amount} />}
      <HeldBox>{order.data ? whoDelivers(order.data) : 'Your money is with Oja.'}</HeldBox>
      <ButtonLink size="l" full to="/payment/verify/delivery-confirmation">
        To confirmation
      </ButtonLink>
      <Reference text={reference} />
    </>
  );
}

/** Above the threshold delivery takes 24 hours, as shoppers are promised. */
export function whoDelivers({ shares, amount, delivery_fee }: Order): string {
  const names = shares.map(({ businessName }) => businessName);
  const sellers = listed(names);
  const products = nairaToKobo(amount) - nairaToKobo(delivery_fee);
  const when = products > DELIVERY_THRESHOLD ? ' within 24 hours' : '';
  const have = names.length === 1 ? 'has' : 'have';
  return `Your money is with Oja. ${sellers} ${have} been told to deliver${when}.`;
}
