import { pagePaths } from '@oja/contracts/pages';
import { useQuery } from '@tanstack/react-query';
import { Hourglass, Printer } from 'lucide-react';
import { useParams } from 'react-router-dom';
import { useNeedsBankAccount } from '../../api/profile.js';
import { settingsQuery } from '../../api/settings.js';
import type { SaleWithHistory } from '../../api/types.js';
import { OrderFallback } from '../../app/OrderFallback.js';
import { Screen } from '../../app/Screen.js';
import { useUser } from '../../stores/session.js';
import { StatusBadge } from '../../ui/Badge.js';
import { Breadcrumb } from '../../ui/Breadcrumb.js';
import { Button, ButtonLink } from '../../ui/Button.js';
import { CopyButton } from '../../ui/CopyButton.js';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import { Naira } from '../../ui/Price.js';
import * as priceStyles from '../../ui/Price.module.css';
import { Timeline, type TimelineStep } from '../../ui/Timeline.js';
import { OrderGoods } from '../checkout/order.js';
import { lagosTime } from '../history/times.js';
import {
  countPieces,
  eventLook,
  formatPieces,
  saleBadges,
  sellerAmount,
  useInstruction,
} from './labels.js';
import * as styles from './OrderPage.module.css';
import { orderQuery } from './queries.js';

/** One order of the seller: what to hand over, the seller's share, the history, and a slip for the parcel. */
export default function OrderPage() {
  const { transactionId: id = '' } = useParams();
  const { data, error, refetch } = useQuery(orderQuery(id));
  if (data !== undefined) return <Order sale={data} />;
  return (
    <OrderFallback
      title="Order"
      error={error}
      onRetry={() => void refetch()}
      notFound={{
        title: 'There is no such order of yours',
        all: 'All orders',
        to: pagePaths.orders,
      }}
    />
  );
}

function Order({ sale }: { readonly sale: SaleWithHistory }) {
  const instruction = useInstruction(sale);
  return (
    <Screen title={`Order ${sale.number}`}>
      <div className={styles.screen}>
        <Breadcrumb crumbs={[{ label: 'Orders', to: pagePaths.orders }, { label: sale.number }]} />
        <div className={layout.sectionHead}>
          <h1 className={`${layout.row} ${layout.wrap} ${styles.title}`}>
            <span>
              Order <span className={styles.number}>{sale.number}</span>
            </span>
            <CopyButton text={sale.number} what="the number" />
            <StatusBadge of={saleBadges[sale.status]} />
          </h1>
          {sale.status === 'held' && (
            <Button look="line" onClick={() => print()}>
              <Icon of={Printer} size="s" />
              Print hand-over slip
            </Button>
          )}
        </div>
        <div className={layout.twoColumns}>
          <div className={`${layout.stack} ${layout.roomy}`}>
            <section className={panelStyles.panel} aria-label="What to do now">
              <h2 className={`${layout.heading} ${layout.atTop}`}>What to do now</h2>
              <p>{instruction}</p>
              {sale.status === 'released' && <BankDetails />}
            </section>
            <section className={panelStyles.panel} aria-label="Goods">
              <h2 className={`${layout.heading} ${layout.atTop}`}>
                {formatPieces(countPieces(sale))} in this order
              </h2>
              <OrderGoods goods={sale.items} />
              <dl>
                <div className={`${panelStyles.amountLine} ${panelStyles.total}`}>
                  <dt>You get</dt>
                  <dd className={`${priceStyles.price} ${priceStyles.middle}`}>
                    <Naira amount={sellerAmount(sale)} />
                  </dd>
                </div>
              </dl>
              <p className={`${layout.small} ${layout.muted}`}>
                Oja arranges the delivery: who bought it stays between Oja and the buyer.
              </p>
            </section>
          </div>
          <aside className={panelStyles.panel} aria-label="History">
            <h2 className={`${layout.heading} ${layout.atTop}`}>What happened</h2>
            <Timeline label="What happened" steps={toTimelineSteps(sale)} />
          </aside>
        </div>
      </div>
      {sale.status === 'held' && <Slip sale={sale} />}
    </Screen>
  );
}

/** Shown when money is payable but the seller has given no bank account. */
function BankDetails() {
  if (!useNeedsBankAccount()) return null;
  return (
    <p className={styles.bank}>
      Oja does not know your bank yet.{' '}
      <ButtonLink look="tint" size="s" to={pagePaths.profile}>
        Add bank details
      </ButtonLink>
    </p>
  );
}

/** The history, newest first, with the step that is still to come at the top. */
function toTimelineSteps({ status, history }: SaleWithHistory): readonly TimelineStep[] {
  const done = history.map(({ type, at, text }, place) => ({
    id: String(place),
    ...eventLook(type),
    title: text,
    detail: (
      <>
        <time dateTime={at}>{lagosTime(at)}</time> Lagos time
      </>
    ),
  }));
  const next: TimelineStep[] =
    status === 'held'
      ? [
          {
            id: 'next',
            icon: Hourglass,
            tone: 'todo',
            title: 'The buyer confirms the delivery',
            detail: 'Then the money is yours',
          },
        ]
      : [];
  return [...next, ...done.reverse()];
}

/** The slip that goes with the parcel, in print only. It names nobody but the seller. */
function Slip({ sale }: { readonly sale: SaleWithHistory }) {
  const user = useUser();
  const { dropOffAddress = '' } = useQuery(settingsQuery).data ?? {};
  return (
    <section className={styles.slip} aria-hidden="true">
      <p className={styles.slipHead}>
        <b>Oja</b> hand-over slip
      </p>
      <p className={styles.slipNumber}>{sale.number}</p>
      <dl>
        <div>
          <dt>From</dt>
          <dd>{user?.businessName}</dd>
        </div>
        {dropOffAddress !== '' && (
          <div>
            <dt>Bring it to</dt>
            <dd>{dropOffAddress}</dd>
          </div>
        )}
        <div>
          <dt>Paid at</dt>
          <dd>{lagosTime(sale.paid_at)} Lagos time</dd>
        </div>
        <div>
          <dt>Order</dt>
          <dd>{sale.transaction_id}</dd>
        </div>
      </dl>
      <table>
        <thead>
          <tr>
            <th scope="col">Product</th>
            <th scope="col">Quantity</th>
          </tr>
        </thead>
        <tbody>
          {sale.items.map(({ product_id, prod_name, quantity }) => (
            <tr key={product_id}>
              <td>{prod_name}</td>
              <td>{quantity}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td>Together</td>
            <td>{countPieces(sale)}</td>
          </tr>
        </tfoot>
      </table>
      <div className={styles.signatures}>
        <p>Handed over by</p>
        <p>Taken by, for Oja</p>
        <p>Date and time</p>
      </div>
    </section>
  );
}
