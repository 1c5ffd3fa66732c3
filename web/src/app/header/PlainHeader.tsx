import { pagePath, pagePaths } from '@oja/contracts/pages';
import { Bell, ShoppingCart } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useCartCount } from '../../stores/cart.js';
import { useHasUnconfirmed } from '../../stores/orders.js';
import * as buttonStyles from '../../ui/Button.module.css';
import { classes } from '../../ui/classes.js';
import { Icon } from '../../ui/Icon.js';
import { Logo } from '../../ui/Logo.js';
import * as layout from '../../ui/layout.module.css';
import * as styles from './header.module.css';
import { StickyTop } from './StickyTop.js';

/** The logo, and the bell while it rings: payment, verification, reviews, and whatever has no header of its own. */
export function PlainHeader() {
  return (
    <StickyTop>
      <Logo />
      <span className={`${styles.atEnd} ${layout.row}`}>
        <DeliveryBell />
      </span>
    </StickyTop>
  );
}

/** Only while a delivery is unconfirmed: the way to confirm it. */
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

/** The cart with its count, which grows once and back when it changes. */
export function CartLink({ className }: { readonly className?: string }) {
  const count = useCartCount();
  return (
    <Link
      className={classes(buttonStyles.iconButton, className)}
      to={pagePath('cart', { mode: 'multiple-order' })}
      aria-label={`Cart, ${count} ${count === 1 ? 'item' : 'items'}`}
    >
      <Icon of={ShoppingCart} size="l" />
      {count > 0 && (
        <span key={count} className={styles.count}>
          {count}
        </span>
      )}
    </Link>
  );
}
