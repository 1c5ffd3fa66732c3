import { Logo } from '../../ui/Logo.js';
import { DeliveryBell } from './DeliveryBell.js';
import { StickyTop } from './StickyTop.js';

/** The logo, and the bell while it rings: payment, verification, reviews, and whatever has no header of its own. */
export function PlainHeader() {
  return (
    <StickyTop>
      <Logo />
      <span className="end row">
        <DeliveryBell />
      </span>
    </StickyTop>
  );
}
