import { ArrowUp, Info } from 'lucide-react';
import { useState } from 'react';
import { Icon } from './Icon.js';
import { PriceAndDelivery } from './PriceAndDelivery.js';
import { useScrolled } from './use-scrolled.js';

/** The first px at which the way back to the top is offered: past 250. */
const SCROLL_TOP_FROM = 251;

/** Back to the top, once the page is scrolled past 250 px. */
export function ScrollTop() {
  const far = useScrolled(SCROLL_TOP_FROM);
  if (!far) return null;
  return (
    <button
      type="button"
      className="float"
      aria-label="Back to top"
      onClick={() => scrollTo({ top: 0 })}
    >
      <Icon of={ArrowUp} />
    </button>
  );
}

/** The info sign that opens 'Price and Delivery'. */
export function PriceAndDeliveryFloat() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="float"
        aria-label="Price and Delivery"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon of={Info} />
      </button>
      <PriceAndDelivery open={open} onClose={() => setOpen(false)} />
    </>
  );
}

/** Both, at the bottom right. */
export function Floats() {
  return (
    <div className="floats">
      <ScrollTop />
      <PriceAndDeliveryFloat />
    </div>
  );
}
