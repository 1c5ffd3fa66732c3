import { ChevronRight } from 'lucide-react';
import { Icon } from '../../ui/Icon.js';
import { Naira } from '../../ui/Price.js';
import { dateOf, listed, stateOf } from './order-view.js';
import { useOrder } from './use-order.js';

interface OtherOrdersProps {
  readonly keys: readonly string[];
  readonly onChoose: (orderKey: string) => void;
}

/** What else this browser has paid and not confirmed. */
export function OtherOrders({ keys, onChoose }: OtherOrdersProps) {
  if (keys.length === 0) return null;
  return (
    <section className="others" aria-label="Your other orders">
      <h2 className="h3">Your other orders</h2>
      <ul>
        {keys.map((key) => (
          <Other key={key} orderKey={key} onChoose={() => onChoose(key)} />
        ))}
      </ul>
    </section>
  );
}

/** One that was never paid, or does not load, is not worth a line. */
function Other({
  orderKey,
  onChoose,
}: {
  readonly orderKey: string;
  readonly onChoose: () => void;
}) {
  const { data } = useOrder(orderKey);
  if (data === undefined || data.paid_at === null || stateOf(data) === 'delivered') return null;
  return (
    <li>
      <button type="button" className="other panel" onClick={onChoose}>
        <span className="grow">
          <b>{listed(data.lines.map(({ prod_name }) => prod_name))}</b>
          <small className="muted num">
            <Naira amount={data.amount} />, paid {dateOf(data.paid_at)}
          </small>
        </span>
        <Icon of={ChevronRight} />
      </button>
    </li>
  );
}
