import { CalendarCheck, type LucideIcon, MapPin, PackageCheck } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Outlet } from 'react-router-dom';
import { CartLink, DeliveryBell } from '../../app/header/PlainHeader.js';
import { SearchInput } from '../../app/header/SearchInput.js';
import { OfflineStrip, STICKY_FROM_PX } from '../../app/header/StickyHeader.js';
import { Cloth, motifOf, SellerSwatch } from '../../ui/Cloth.js';
import { classes } from '../../ui/classes.js';
import { Icon } from '../../ui/Icon.js';
import { Logo } from '../../ui/Logo.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import { useScrolled } from '../../ui/use-browser.js';
import * as styles from './StoreFrame.module.css';

/** Outlet context: the page tells its layout whose store it is, which decides the pattern of the band. */
export type SetSeller = (sellerId: string) => void;

/** A band with the seller's pattern behind logo and cart, which stick. The page's store card overlaps it. */
export function StoreLayout() {
  const [sellerId, setSellerId] = useState<string>();
  const stuck = useScrolled(STICKY_FROM_PX);
  return (
    <>
      <Cloth
        className={styles.band}
        {...(sellerId !== undefined && { motif: motifOf(sellerId) })}
      />
      <header className={classes(styles.header, stuck && styles.stuck)}>
        <div data-header-bar className={`${layout.page} ${styles.bar}`}>
          <Logo onCloth />
          <span className={layout.row}>
            <DeliveryBell />
            <CartLink />
          </span>
        </div>
        <OfflineStrip />
      </header>
      <Outlet context={setSellerId satisfies SetSeller} />
    </>
  );
}

interface StoreCardProps {
  readonly sellerId: string;
  readonly businessName: string;
  /** 'Surulere, Lagos'; left out where nothing is for sale. */
  readonly place?: string;
  /** 'March 2023'. */
  readonly since: string;
  readonly ordersConfirmed: number;
  readonly search: string;
  readonly onSearch: (text: string) => Promise<void> | void;
  readonly onClear: () => void;
}

/** The welcome banner of a store: pattern, name, facts, and a search within the store. */
export function StoreCard(props: StoreCardProps) {
  const { sellerId, businessName, place, since, ordersConfirmed, search, onSearch, onClear } =
    props;
  return (
    <div className={`${styles.card} ${panelStyles.panel}`}>
      <SellerSwatch sellerId={sellerId} size={72}>
        {initials(businessName)}
      </SellerSwatch>
      <div className={layout.grow}>
        <p className={`${layout.muted} ${layout.small}`}>Welcome to</p>
        <h1>{businessName}</h1>
        <ul className={styles.facts}>
          {place !== undefined && <Fact icon={MapPin}>{place}</Fact>}
          <Fact icon={CalendarCheck}>Selling since {since}</Fact>
          <Fact icon={PackageCheck}>
            <span>
              <b className={layout.figures}>{ordersConfirmed}</b>{' '}
              {ordersConfirmed === 1 ? 'order' : 'orders'} confirmed
            </span>
          </Fact>
        </ul>
      </div>
      <SearchInput
        label="Search this store"
        placeholder="What are you looking for..."
        value={search}
        onChange={onSearch}
        onClear={onClear}
      />
    </div>
  );
}

interface FactProps {
  readonly icon: LucideIcon;
  readonly children: ReactNode;
}

function Fact({ icon, children }: FactProps) {
  return (
    <li>
      <Icon of={icon} size="s" />
      {children}
    </li>
  );
}

/** The first letters of the first two words. */
function initials(name: string): string {
  return name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase();
}
