import { DELIVERY_FEE, DELIVERY_THRESHOLD, formatNaira } from '@oja/domain/rules';
import { ArrowUp, Info } from 'lucide-react';
import { useState } from 'react';
import { Dialog } from './Dialog.js';
import * as styles from './Floats.module.css';
import { focusHeading } from './focus.js';
import { Icon } from './Icon.js';
import { useScrolled } from './use-browser.js';

// Not from delivery-rule.ts: home would list one more file.
export const FEE = formatNaira(DELIVERY_FEE, { alwaysKobo: true });
export const THRESHOLD = formatNaira(DELIVERY_THRESHOLD, { alwaysKobo: true });

/** The first scroll position in px that shows the button: past 250. */
const SCROLL_TOP_FROM = 251;

/** Scrolls to the top; shown once the page is scrolled past 250 px. */
function ScrollTopButton() {
  const far = useScrolled(SCROLL_TOP_FROM);
  if (!far) return null;
  const toTop = () => {
    scrollTo({ top: 0 });
    // At the top this button is gone, and the next Tab would scroll down again.
    focusHeading();
  };
  return (
    <button type="button" className={styles.button} aria-label="Back to top" onClick={toTop}>
      <Icon of={ArrowUp} />
    </button>
  );
}

/** The info button, which opens the delivery rule in the words that shoppers were promised. */
function PriceAndDeliveryButton() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={styles.button}
        aria-label="Price and Delivery"
        title="Items purchased are GREATER or LESS THAN 5000"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon of={Info} />
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Price and Delivery">
        <p>Items purchased are GREATER or LESS THAN 5000:</p>
        <dl className={styles.delivery}>
          <div>
            <dt>{`Below ${THRESHOLD}`}</dt>
            <dd>{`delivery fee of ${FEE}`}</dd>
          </div>
          <div>
            <dt>{`Above ${THRESHOLD}`}</dt>
            <dd>no fee, delivered in 24 hours</dd>
          </div>
        </dl>
      </Dialog>
    </>
  );
}

/** Both floating buttons, at the bottom right. */
export function FloatingButtons() {
  return (
    <div className={styles.floats}>
      <ScrollTopButton />
      <PriceAndDeliveryButton />
    </div>
  );
}
