import { useQuery } from '@tanstack/react-query';
import { Banknote, Bell, Lock, Package } from 'lucide-react';
import { Link } from 'react-router-dom';
import { unreadQuery } from '../../api/notifications.js';
import { earningsQuery } from '../../api/own-products.js';
import { Naira } from '../../ui/Price.js';
import { Tile } from './Tile.js';

interface StatsProps {
  readonly sellerId: string;
  /** Undefined until the goods are read; null when they could not be. */
  readonly onSale: number | null | undefined;
  readonly off: number;
}

/** The money first, then the goods. A figure that cannot be known has no tile. */
export function Stats({ sellerId, onSale, off }: StatsProps) {
  const { data: earnings, isLoadingError: noEarnings } = useQuery(earningsQuery);
  const { data: unread, isLoadingError: noUnread } = useQuery(unreadQuery(sellerId));
  const orders = unread?.result.length;
  if (noEarnings && noUnread && onSale === null) return null;
  return (
    <dl className="stats">
      {!noEarnings && (
        <>
          <Tile
            icon={Lock}
            label="Held for you"
            tone="m"
            figure={earnings && <Naira amount={earnings.held} />}
            note="paid when buyers confirm"
          />
          <Tile
            icon={Banknote}
            label="Payable"
            tone="m ok"
            figure={earnings && <Naira amount={earnings.payable} />}
            note={
              earnings && (
                <>
                  released to you; <Naira amount={earnings.paid_out} /> paid out so far
                </>
              )
            }
          />
        </>
      )}
      {onSale !== null && (
        <Tile
          icon={Package}
          label="On sale"
          figure={onSale}
          note={onSale === undefined ? undefined : `${off} unavailable`}
        />
      )}
      {!noUnread && (
        <Tile
          icon={Bell}
          label="New orders"
          figure={orders}
          note={orders === undefined ? undefined : noteOf(orders)}
        />
      )}
    </dl>
  );
}

const noteOf = (orders: number) =>
  orders === 0 ? (
    'none unread'
  ) : (
    <Link className="link" to="/dashboard/notifications">
      Read them
    </Link>
  );
