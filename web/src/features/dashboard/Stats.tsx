import { useQuery } from '@tanstack/react-query';
import { Banknote, Bell, Lock, Package } from 'lucide-react';
import { Link } from 'react-router-dom';
import { unreadQuery } from '../../api/notifications.js';
import { earningsQuery } from '../../api/own-products.js';
import { Icon } from '../../ui/Icon.js';
import { Naira } from '../../ui/Price.js';

interface StatsProps {
  readonly sellerId: string;
  /** Undefined until the goods are read. */
  readonly onSale: number | undefined;
  readonly off: number;
}

/** The money first, then the goods. A figure that is not known has no tile. */
export function Stats({ sellerId, onSale, off }: StatsProps) {
  const { data: earnings } = useQuery(earningsQuery);
  const { data: unread } = useQuery(unreadQuery(sellerId));
  const orders = unread?.result.length;
  if (earnings === undefined && onSale === undefined && orders === undefined) return null;
  return (
    <dl className="stats">
      {earnings !== undefined && (
        <>
          <div className="m">
            <dt>
              <Icon of={Lock} size="s" />
              Held for you
            </dt>
            <dd>
              <Naira amount={earnings.held} />
            </dd>
            <dd className="nt">paid when buyers confirm</dd>
          </div>
          <div className="m ok">
            <dt>
              <Icon of={Banknote} size="s" />
              Payable
            </dt>
            <dd>
              <Naira amount={earnings.payable} />
            </dd>
            <dd className="nt">
              released to you; <Naira amount={earnings.paid_out} /> paid out so far
            </dd>
          </div>
        </>
      )}
      {onSale !== undefined && (
        <div>
          <dt>
            <Icon of={Package} size="s" />
            On sale
          </dt>
          <dd>{onSale}</dd>
          <dd className="nt">{off} unavailable</dd>
        </div>
      )}
      {orders !== undefined && (
        <div>
          <dt>
            <Icon of={Bell} size="s" />
            New orders
          </dt>
          <dd>{orders}</dd>
          <dd className="nt">
            {orders === 0 ? (
              'none unread'
            ) : (
              <Link className="link" to="/dashboard/notifications">
                Read them
              </Link>
            )}
          </dd>
        </div>
      )}
    </dl>
  );
}
