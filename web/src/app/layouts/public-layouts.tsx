import { pagePaths } from '@oja/contracts/pages';
import { useEffect } from 'react';
import { Outlet, useMatches } from 'react-router-dom';
import { useUnpaidKeys } from '../../stores/orders.js';
import { Cloth } from '../../ui/Cloth.js';
import { Link } from '../../ui/Link.js';
import * as layout from '../../ui/layout.module.css';
import { loadAndRun } from '../../ui/lazy.js';
import { useAfterPaint } from '../../ui/use-browser.js';
import { PlainHeader } from '../header/PlainHeader.js';
import { SearchHeader } from '../header/SearchHeader.js';
import { OfflineStrip } from '../header/StickyHeader.js';
import * as styles from './Footer.module.css';

/** Search and cart: home, search, categories, products and the cart. All share one mounted search box. */
export function StorefrontLayout() {
  const footer = useRouteFlag('footer');
  useUnpaidOrders();
  return (
    <>
      <SearchHeader />
      <Outlet />
      {footer && <Footer />}
    </>
  );
}

/** Notices an order that is paid meanwhile. Whoever has no unpaid one never downloads the code. */
function useUnpaidOrders(): void {
  const painted = useAfterPaint();
  const unpaid = useUnpaidKeys();
  useEffect(() => {
    if (!painted || unpaid === '') return;
    return loadAndRun(
      () => import('../../features/checkout/payments.js'),
      ({ watchUnpaidOrders }) => watchUnpaidOrders(),
    );
  }, [painted, unpaid]);
}

/** The logo alone: payment, verification, confirmation, reviews and unknown addresses. */
export function PlainLayout() {
  return (
    <>
      <PlainHeader />
      <Outlet />
    </>
  );
}

/** No header: about, contact, terms, privacy, login and register. */
export function BareLayout() {
  const footer = useRouteFlag('footer');
  return (
    <>
      <OfflineStrip />
      <Outlet />
      {footer && <Footer />}
    </>
  );
}

/** Contact is opened by a full page load. Cookie Policy and FAQ have no page yet. */
function Footer() {
  return (
    <Cloth as="footer" className={styles.footer}>
      <div className={`${layout.page} ${styles.content}`}>
        <ul>
          <li>
            <Link to={pagePaths.about}>About</Link>
          </li>
          <li>
            <Link to={pagePaths.terms}>Terms and Conditions</Link>
          </li>
          <li>
            <Link to={pagePaths.privacy}>Privacy Policy</Link>
          </li>
          <li>
            <span>Cookie Policy</span>
          </li>
          <li>
            <a href={pagePaths.contact}>Contact Us</a>
          </li>
          <li>
            <span>FAQ</span>
          </li>
        </ul>
        <Link to={pagePaths.saved}>Saved</Link>
        <Link to={pagePaths.myOrders}>My orders</Link>
        <p>Oja. Your money is held until you confirm delivery.</p>
      </div>
    </Cloth>
  );
}

/** What a route's `handle` asks of the layout around the page. */
export interface RouteFlags {
  /** Shows the footer (home, about and contact). */
  readonly footer?: true;
  /** Shows the link to the seller's store in the header (upload). */
  readonly myStore?: true;
}

/** Whether the current page's route has the flag. */
export function useRouteFlag(flag: keyof RouteFlags): boolean {
  return useMatches().some(({ handle }) => {
    const flags: RouteFlags = typeof handle === 'object' && handle !== null ? handle : {};
    return flags[flag] === true;
  });
}
