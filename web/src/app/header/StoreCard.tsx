import { CalendarCheck, MapPin, PackageCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from '../../ui/Icon.js';
import { SellerSwatch } from '../../ui/SellerSwatch.js';
import { SearchInput } from './SearchInput.js';

interface StoreCardProps {
  readonly sellerId: string;
  readonly businessName: string;
  /** 'Surulere, Lagos'; a figure that is not known is left out. */
  readonly place?: string;
  /** 'March 2023'. */
  readonly since?: string;
  readonly ordersConfirmed?: number;
  readonly search: string;
  readonly onSearch: (text: string) => Promise<void> | void;
  readonly onClear: () => void;
}

/** The welcome banner of a store: cloth, name, facts, and the store's own search. */
export function StoreCard(props: StoreCardProps) {
  const { sellerId, businessName, place, since, ordersConfirmed, search, onSearch, onClear } =
    props;
  return (
    <div className="storecard panel">
      <SellerSwatch sellerId={sellerId} size={72}>
        {initials(businessName)}
      </SellerSwatch>
      <div className="grow">
        <p className="muted small">Welcome to</p>
        <h1>{businessName}</h1>
        <ul className="sfacts">
          {place !== undefined && <Fact icon={<Icon of={MapPin} size="s" />}>{place}</Fact>}
          {since !== undefined && (
            <Fact icon={<Icon of={CalendarCheck} size="s" />}>Selling since {since}</Fact>
          )}
          {ordersConfirmed !== undefined && (
            <Fact icon={<Icon of={PackageCheck} size="s" />}>
              <span>
                <b className="num">{ordersConfirmed}</b>{' '}
                {ordersConfirmed === 1 ? 'order' : 'orders'} confirmed
              </span>
            </Fact>
          )}
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

function Fact({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <li>
      {icon}
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
