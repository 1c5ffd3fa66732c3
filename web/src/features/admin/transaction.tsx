import { useQuery } from '@tanstack/react-query';
import { ReceiptText } from 'lucide-react';
import { useParams } from 'react-router-dom';
import { transactionQuery } from '../../api/admin.js';
import { ApiError } from '../../api/error.js';
import type { Transaction } from '../../api/types.js';
import { Screen } from '../../app/Screen.js';
import '../../styles/parts/checkout.css';
import { Badge } from '../../ui/Badge.js';
import { Breadcrumb } from '../../ui/Breadcrumb.js';
import { ButtonLink } from '../../ui/Button.js';
import { Skeleton } from '../../ui/Skeleton.js';
import { EmptyState, ErrorState, OfflineState } from '../../ui/States.js';
import { useOnline } from '../../ui/use-online.js';
import { History } from '../history/History.js';
import { OrderFacts } from './order/OrderFacts.js';
import { SellerPart } from './order/SellerPart.js';
import { receivedSigns } from './order/words.js';
import { useNames } from './users.js';

const BUYERS = '/admin-dashboard/sellers?view=buyers';

/** One transaction: who bought what of whom, where its money is, and what happened. */
export function Component() {
  const { transactionID: id = '' } = useParams();
  const { data, error, refetch } = useQuery(transactionQuery(id));
  const online = useOnline();
  if (data !== undefined) return <Order transaction={data} />;
  const unknown = error instanceof ApiError && error.status === 404;
  return (
    <Screen title="Transaction">
      {!unknown && <h1 className="vh">Transaction</h1>}
      {error === null && (
        <div className="sec">
          <Skeleton height={420} />
        </div>
      )}
      {unknown && (
        <EmptyState
          motif="steps"
          icon={ReceiptText}
          headingLevel="h1"
          title="There is no such transaction"
          action={<ButtonLink to={BUYERS}>All transactions</ButtonLink>}
        />
      )}
      {error !== null &&
        !unknown &&
        (online ? <ErrorState onRetry={() => void refetch()} /> : <OfflineState />)}
    </Screen>
  );
}

const toSettle = { title: 'Refund or release', detail: 'Waiting for the head admin' };
const toConfirm = { title: 'The buyer confirms the delivery', detail: 'Waiting for the buyer' };

function nextOf({ recieved, paid_at }: Transaction) {
  if (recieved === 'DISPUTED') return { next: toSettle };
  return recieved === 'PENDING' && paid_at !== null ? { next: toConfirm } : {};
}

function Order({ transaction }: { readonly transaction: Transaction }) {
  const { tone, icon, words } = receivedSigns[transaction.recieved];
  const stores = transaction.shares.map(({ user_id, businessName }) => [user_id, businessName]);
  const names = { ...useNames(), ...Object.fromEntries(stores) };
  return (
    <Screen title="Transaction">
      <Breadcrumb
        crumbs={[
          { label: 'Admin', to: '/admin-dashboard' },
          { label: 'Buyers', to: BUYERS },
        ]}
      />
      <div className="hd">
        <div>
          <h1 className="row wrap orderid">
            <span className="mono">{transaction.transaction_id}</span>
            {transaction.paid_at === null ? (
              <Badge>{transaction.status}</Badge>
            ) : (
              <Badge tone={tone} icon={icon}>
                {words}
              </Badge>
            )}
          </h1>
        </div>
      </div>
      <div className="two">
        <div className="stack steps">
          <OrderFacts transaction={transaction} />
          {transaction.shares.map((share) => (
            <SellerPart key={share.user_id} transaction={transaction} share={share} />
          ))}
        </div>
        <aside className="panel" aria-label="History">
          <h2 className="h3 first">Who did what, when</h2>
          <History
            kind="transaction"
            id={transaction.transaction_id}
            names={names}
            {...nextOf(transaction)}
          />
        </aside>
      </div>
    </Screen>
  );
}
