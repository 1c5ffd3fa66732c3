import { Bell } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useHasUnconfirmed } from '../../stores/orders.js';
import { Icon } from '../../ui/Icon.js';

/** Only while a delivery is unconfirmed: the way to confirm it. */
export function DeliveryBell() {
  const unconfirmed = useHasUnconfirmed();
  if (!unconfirmed) return null;
  return (
    <Link
      className="ib bell"
      to="/payment/verify/delivery-confirmation"
      aria-label="Confirm your delivery"
    >
      <Icon of={Bell} size="l" />
      <span className="dot" />
    </Link>
  );
}
