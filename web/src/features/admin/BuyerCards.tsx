import { pagePath } from '@oja/contracts/pages';
import { orderNumber } from '@oja/domain/rules';
import { StatusBadge } from '../../ui/Badge.js';
import { CopyButton } from '../../ui/CopyButton.js';
import { classes } from '../../ui/classes.js';
import { Link } from '../../ui/Link.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import { Naira } from '../../ui/Price.js';
import { lagosTime } from '../history/times.js';
import * as styles from './BuyerCards.module.css';
import type { BuyerRow } from './buyer-rows.js';
import { Complaints, deliveryBadges, formatPaidAge, orRemoved } from './labels.js';

/** Groups consecutive rows of the same order. */
function groupByOrder(rows: readonly BuyerRow[]): readonly (readonly [BuyerRow, ...BuyerRow[]])[] {
  const groups: [BuyerRow, ...BuyerRow[]][] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last?.[0].transaction === row.transaction) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

/** The sixteen facts of the table, one card per order, starting with the facts that are looked for most. */
export function BuyerCards({ rows }: { readonly rows: readonly BuyerRow[] }) {
  return (
    <ul className={styles.cards} aria-label="Buyers transactions">
      {groupByOrder(rows).map((group) => (
        <BuyerCard key={group[0].id} rows={group} />
      ))}
    </ul>
  );
}

function BuyerCard({ rows }: { readonly rows: readonly [BuyerRow, ...BuyerRow[]] }) {
  const [{ transaction: t }] = rows;
  const nameOf = new Map(t.lines.map(({ product_id, prod_name }) => [product_id, prod_name]));
  const storeOf = new Map(t.shares.map(({ user_id, businessName }) => [user_id, businessName]));
  const phone = t.phone_number;
  const order = `order ${orderNumber(t.transaction_id)}`;
  return (
    <li
      className={classes(
        panelStyles.panel,
        styles.card,
        t.recieved === 'DELIVERED' && styles.delivered,
      )}
    >
      <div className={`${layout.row} ${layout.spaceBetween} ${layout.wrap}`}>
        <h2>
          <Link to={pagePath('transaction', { transactionId: t.transaction_id })}>
            <span className={layout.visuallyHidden}>Transaction </span>
            {orderNumber(t.transaction_id)}
          </Link>
        </h2>
        <StatusBadge of={deliveryBadges[t.recieved]} />
      </div>
      <p className={`${layout.row} ${layout.spaceBetween} ${layout.wrap} ${styles.buyer}`}>
        <span>
          <bdi>{orRemoved(t.buyer_name)}</bdi>
          {phone !== null && (
            <>
              {', '}
              <a href={`tel:${phone}`}>{phone}</a>
              <CopyButton inLine text={phone} what={`the phone number of ${order}`} />
            </>
          )}
        </span>
        <b>
          <Naira amount={t.amount} />
        </b>
      </p>
      {t.paid_at !== null && (
        <p className={`${layout.small} ${layout.muted}`}>
          {formatPaidAge(t.paid_at)}, {lagosTime(t.paid_at)} Lagos time
        </p>
      )}
      <Complaints transaction={t} />
      <ul className={styles.goods}>
        {rows.map(({ id, productId, quantity, price, sellerId }) => (
          <li key={id}>
            <span>
              {quantity} × <bdi>{nameOf.get(productId) ?? 'Product'}</bdi>{' '}
              <span className={layout.muted}>
                of <bdi>{storeOf.get(sellerId) ?? 'a seller'}</bdi>
              </span>
            </span>
            <b>
              <Naira amount={price} />
            </b>
          </li>
        ))}
      </ul>
      {/* The list is paged, filtered and sorted by products. */}
      {rows.length < t.lines.length && (
        <p className={`${layout.small} ${layout.muted}`}>
          {rows.length} of the {t.lines.length} products of this order
        </p>
      )}
      <details>
        <summary>
          All details
          <span className={layout.visuallyHidden}> of {orderNumber(t.transaction_id)}</span>
        </summary>
        <dl className={styles.facts}>
          <Fact name="Transaction ID" copyOf={order}>
            {t.transaction_id}
          </Fact>
          <Fact name="Status">{t.status}</Fact>
          <Fact name="Reference" copyOf={order}>
            {t.reference}
          </Fact>
          <Fact name="Created At">{lagosTime(t.created_at)}</Fact>
          <Fact name="Currency">{t.currency}</Fact>
          <Fact name="Channel">{t.channel ?? ''}</Fact>
          <Fact name="Home Address">{orRemoved(t.home_address)}</Fact>
          <Fact name="P_ID">{rows.map(({ productId }) => productId).join(', ')}</Fact>
          <Fact name="Seller ID">
            {[...new Set(rows.map(({ sellerId }) => sellerId))].join(', ')}
          </Fact>
        </dl>
      </details>
    </li>
  );
}

interface FactProps {
  readonly name: string;
  /** What the value belongs to, for the label of its copy button. Without it there is no copy button. */
  readonly copyOf?: string;
  readonly children: string;
}

function Fact({ name, copyOf, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {children}
        {copyOf !== undefined && (
          <CopyButton inLine text={children} what={`the ${name} of ${copyOf}`} />
        )}
      </dd>
    </div>
  );
}
