import { Clock, PackageX } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { Transaction } from '../../api/types.js';
import { Badge } from '../../ui/Badge.js';
import { ButtonLink } from '../../ui/Button.js';
import { Naira } from '../../ui/Price.js';
import { lagosTime } from '../history/times.js';
import { personalWords } from './order/words.js';

interface NeedsProps {
  readonly disputes: readonly Transaction[];
  readonly unconfirmed: readonly Transaction[];
}

/** Disputes, and orders paid long ago that nobody confirmed. */
export function Needs({ disputes, unconfirmed }: NeedsProps) {
  return (
    <section className="sec">
      <div className="hd">
        <h2>Needs a person</h2>
        <Link className="link" to="/admin-dashboard/sellers?view=buyers">
          All transactions
        </Link>
      </div>
      {disputes.length + unconfirmed.length === 0 ? (
        <p className="panel muted">Nothing. Every buyer is content, or still waiting in time.</p>
      ) : (
        <ul className="panel needs">
          {disputes.map((order) => (
            <Need key={order.transaction_id} order={order} disputed />
          ))}
          {unconfirmed.map((order) => (
            <Need key={order.transaction_id} order={order} disputed={false} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Need({ order, disputed }: { readonly order: Transaction; readonly disputed: boolean }) {
  const sellers = order.shares.map(({ businessName }) => businessName).join(', ');
  return (
    <li>
      {disputed ? (
        <Badge tone="bad" icon={PackageX}>
          Disputed
        </Badge>
      ) : (
        <Badge tone="wait" icon={Clock}>
          Unconfirmed
        </Badge>
      )}
      <span className="grow">
        <b>{personalWords(order.buyer_name)}</b>
        {disputed ? ' reported a problem with ' : ', '}
        {sellers}.{' '}
        <span className="muted num">
          <Naira amount={order.amount} />
          {order.paid_at !== null && `, paid ${lagosTime(order.paid_at)} Lagos time`}
        </span>
      </span>
      <ButtonLink
        look="line"
        size="s"
        to={`/admin-dashboard/${order.transaction_id}`}
        aria-label={`Open the order of ${personalWords(order.buyer_name)}`}
      >
        Open
      </ButtonLink>
    </li>
  );
}
