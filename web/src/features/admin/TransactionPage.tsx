import { pagePaths } from '@oja/contracts/pages';
import { orderNumber } from '@oja/domain/rules';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParams } from 'react-router-dom';
import type { Transaction } from '../../api/types.js';
import { BUYERS_PATH } from '../../app/layouts/AdminLayout.js';
import { OrderFallback } from '../../app/OrderFallback.js';
import { Screen } from '../../app/Screen.js';
import { Badge, StatusBadge } from '../../ui/Badge.js';
import { Breadcrumb } from '../../ui/Breadcrumb.js';
import { CopyButton } from '../../ui/CopyButton.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import { Naira } from '../../ui/Price.js';
import * as priceStyles from '../../ui/Price.module.css';
import { History } from '../history/History.js';
import { lagosTime } from '../history/times.js';
import { transactionQuery, useNames } from './api.js';
import { deliveryBadges, orRemoved } from './labels.js';
import { SellerShare } from './SellerShare.js';
import * as styles from './TransactionPage.module.css';

/** One transaction: its buyer, goods and sellers, where its money is, and its history. */
export default function TransactionPage() {
  const { transactionId: id = '' } = useParams();
  const { data, error, refetch } = useQuery(transactionQuery(id));
  if (data !== undefined) return <Order transaction={data} />;
  return (
    <OrderFallback
      title="Transaction"
      error={error}
      onRetry={() => void refetch()}
      notFound={{ title: 'There is no such transaction', all: 'All transactions', to: BUYERS_PATH }}
    />
  );
}

const settleStep = { title: 'Refund or release', detail: 'Waiting for the head admin' };
const confirmStep = { title: 'The buyer confirms the delivery', detail: 'Waiting for the buyer' };

function nextStep({ recieved, paid_at }: Transaction) {
  if (recieved === 'DISPUTED') return { next: settleStep };
  return recieved === 'PENDING' && paid_at !== null ? { next: confirmStep } : {};
}

function Order({ transaction }: { readonly transaction: Transaction }) {
  const stores = transaction.shares.map(({ user_id, businessName }) => [user_id, businessName]);
  const names = { ...useNames(), ...Object.fromEntries(stores) };
  return (
    <Screen title="Transaction">
      <Breadcrumb
        crumbs={[
          { label: 'Admin', to: pagePaths.adminHome },
          { label: 'Buyers', to: BUYERS_PATH },
        ]}
      />
      <div className={layout.sectionHead}>
        <div>
          <h1 className={`${layout.row} ${layout.wrap} ${styles.orderId}`}>
            <span>
              Order <span className={layout.mono}>{orderNumber(transaction.transaction_id)}</span>
            </span>
            {transaction.paid_at === null ? (
              <Badge>{transaction.status}</Badge>
            ) : (
              <StatusBadge of={deliveryBadges[transaction.recieved]} />
            )}
          </h1>
        </div>
      </div>
      <div className={layout.twoColumns}>
        <div className={`${layout.stack} ${layout.roomy}`}>
          <OrderFacts transaction={transaction} />
          {transaction.shares.map((share) => (
            <SellerShare key={share.user_id} transaction={transaction} share={share} />
          ))}
        </div>
        <aside className={panelStyles.panel} aria-label="History">
          <h2 className={`${layout.heading} ${layout.atTop}`}>Who did what, when</h2>
          <History
            kind="transaction"
            id={transaction.transaction_id}
            names={names}
            {...nextStep(transaction)}
          />
        </aside>
      </div>
    </Screen>
  );
}

const OPEN_STATUSES = new Set(['held', 'disputed']);

/** The sum of the shares that are still held or disputed, in naira; 0 before payment. */
function sumHeld({ shares, paid_at }: Transaction): number {
  if (paid_at === null) return 0;
  return shares
    .filter(({ status }) => OPEN_STATUSES.has(status))
    .reduce((sum, { share }) => sum + share, 0);
}

/** Buyer, amount and payment of an order. */
function OrderFacts({ transaction: t }: { readonly transaction: Transaction }) {
  return (
    <section className={panelStyles.panel} aria-label="Order">
      <h2 className={`${layout.heading} ${layout.atTop}`}>Order</h2>
      <dl className={styles.facts}>
        <Fact label="Amount" className={`${priceStyles.price} ${priceStyles.middle}`}>
          <Naira amount={t.amount} />
        </Fact>
        <Fact label="Held for sellers" className={`${priceStyles.price} ${priceStyles.middle}`}>
          <Naira amount={sumHeld(t)} />
        </Fact>
        <Fact label="Transaction ID" className={layout.mono} wide>
          {t.transaction_id}
          <CopyButton inLine text={t.transaction_id} what="the transaction ID" />
        </Fact>
        <Fact label="Reference" className={layout.mono} wide>
          {t.reference}
          <CopyButton inLine text={t.reference} what="the reference" />
        </Fact>
        <Fact label="Channel">{[t.channel, t.currency].filter(Boolean).join(', ')}</Fact>
        <Fact label="Created At">{lagosTime(t.created_at)} Lagos time</Fact>
        <Fact label="Paid At">
          {t.paid_at === null ? 'not paid' : `${lagosTime(t.paid_at)} Lagos time`}
        </Fact>
        <Fact label="Delivery fee">
          <Naira amount={t.delivery_fee} />
        </Fact>
        <Fact label="Buyer Name">{orRemoved(t.buyer_name)}</Fact>
        <Fact label="Phone Number" className={layout.figures}>
          {orRemoved(t.phone_number)}
          {t.phone_number !== null && (
            <CopyButton inLine text={t.phone_number} what="the phone number" />
          )}
        </Fact>
        <Fact label="E-mail" wide>
          {orRemoved(t.email)}
        </Fact>
        <Fact label="Home Address" wide>
          {orRemoved(t.home_address)}
        </Fact>
      </dl>
    </section>
  );
}

interface FactProps {
  readonly label: string;
  readonly className?: string | undefined;
  readonly wide?: boolean;
  readonly children: ReactNode;
}

function Fact({ label, className, wide, children }: FactProps) {
  return (
    <div className={wide ? styles.wide : undefined}>
      <dt>{label}</dt>
      <dd className={className}>{children}</dd>
    </div>
  );
}
