import { pagePath, pagePaths } from '@oja/contracts/pages';
import { Bell, ShoppingCart } from 'lucide-react';
import { useCartCount } from '../../stores/cart.js';
import { useHasUnconfirmed } from '../../stores/orders.js';
import * as buttonStyles from '../../ui/Button.module.css';
import { Icon } from '../../ui/Icon.js';
import { Link } from '../../ui/Link.js';
import { Logo } from '../../ui/Logo.js';
import * as layout from '../../ui/layout.module.css';
import * as styles from './header.module.css';
import { StickyHeader } from './StickyHeader.js';

/**
 * The header without a search, for payment, verification, reviews, unknown addresses and broken pages: the
 * logo, and the delivery bell while it is needed.
 */
export function PlainHeader() {
  return (
    <StickyHeader>
      <Logo />
      <span className={`${styles.atEnd} ${layout.row}`}>
        <DeliveryBell />
      </span>
    </StickyHeader>
  );
}

/** The link to confirm a delivery, shown only while one is unconfirmed. */
export function DeliveryBell() {
  const unconfirmed = useHasUnconfirmed();
  if (!unconfirmed) return null;
  return (
    <Link
      className={`${buttonStyles.iconButton} ${styles.bell}`}
      to={pagePaths.deliveryConfirmation}
      aria-label="Confirm your delivery"
    >
      <Icon of={Bell} size="l" />
      <span className={styles.dot} />
    </Link>
  );
}

/** The cart link with its count. The count pulses once when it changes, and is announced. */
export function CartLink() {
  const count = useCartCount();
  const label = `Cart, ${count} ${count === 1 ? 'item' : 'items'}`;
  return (
    <Link
      className={buttonStyles.iconButton}
      to={pagePath('cart', { mode: 'multiple-order' })}
      // In browsers, the text of a region is no part of the link's name.
      aria-label={label}
    >
      <Icon of={ShoppingCart} size="l" />
      <span className={layout.visuallyHidden} role="status">
        {label}
      </span>
      {count > 0 && (
        <span key={count} className={styles.count}>
          {count}
        </span>
      )}
    </Link>
  );
}
