import { pagePaths } from '@oja/contracts/pages';
import { orderKeyParts, orderNumber } from '@oja/domain/rules';
import { useMutation } from '@tanstack/react-query';
import { Mail, PackageSearch, Printer } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useParams } from 'react-router-dom';
import { newIdempotencyKey } from '../../api/client.js';
import { errorMessage } from '../../api/failures.js';
import type { Order } from '../../api/types.js';
import { OrderFallback } from '../../app/OrderFallback.js';
import { Screen } from '../../app/Screen.js';
import { useOrders } from '../../stores/orders.js';
import { Breadcrumb } from '../../ui/Breadcrumb.js';
import { Button, ButtonLink } from '../../ui/Button.js';
import { CopyButton } from '../../ui/CopyButton.js';
import { Message } from '../../ui/Field.js';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import { Naira } from '../../ui/Price.js';
import { EmptyState } from '../../ui/States.js';
import { useOnline } from '../../ui/use-browser.js';
import { sendReceipt } from '../checkout/api.js';
import { formatTime } from '../checkout/order.js';
import { useOrder } from '../checkout/payments.js';
import { saleBadges } from '../orders/labels.js';
import * as styles from './ReceiptPage.module.css';

const page = `${layout.page} ${layout.narrow} ${styles.page}`;
const listLink = { all: 'My orders', to: pagePaths.myOrders };

/**
 * The receipt of an order placed in this browser, on screen and in print. The address holds only the public
 * id; the secret part of the order key stays in the browser's storage.
 */
export default function ReceiptPage() {
  const { transactionId: id = '' } = useParams();
  const storedOrder = useOrders().find(({ key }) => key.startsWith(`${id}.`));
  if (storedOrder !== undefined) return <StoredReceipt orderKey={storedOrder.key} />;
  return (
    <Screen title="Receipt" className={page}>
      <EmptyState
        motif="steps"
        icon={PackageSearch}
        headingLevel="h1"
        title="This order is not on this device"
        line="The link in your receipt e-mail opens it here."
        action={<ButtonLink to={listLink.to}>{listLink.all}</ButtonLink>}
      />
    </Screen>
  );
}

function StoredReceipt({ orderKey }: { readonly orderKey: string }) {
  const { data, error, refetch } = useOrder(orderKey);
  if (data !== undefined) return <Receipt order={data} />;
  return (
    <OrderFallback
      className={page}
      title="Receipt"
      error={error}
      onRetry={() => void refetch()}
      notFound={{ title: 'The market does not know this order any more', ...listLink }}
    />
  );
}

/** Names only the sellers, so that somebody who borrows the phone learns no address here. */
function Receipt({ order }: { readonly order: Order }) {
  const { lines, shares, amount, delivery_fee, created_at, paid_at } = order;
  const number = orderNumber(order.transactionId);
  const title = paid_at === null ? 'Order, not paid' : 'Receipt';
  const holding = shares.filter(({ status }) => status === 'held' || status === 'disputed');
  return (
    <Screen title={`${title} ${number}`} className={page}>
      <Breadcrumb crumbs={[{ label: listLink.all, to: listLink.to }, { label: number }]} />
      <section className={`${panelStyles.panel} ${styles.receipt}`} aria-labelledby="receipt">
        <p className={styles.market}>Oja</p>
        <h1 id="receipt">{title}</h1>
        <dl className={styles.facts}>
          <Fact name="Order">
            <b className={layout.mono}>{number}</b>
            <CopyButton inLine text={number} what="the order number" />
          </Fact>
          <Fact name="Ordered">{formatTime(created_at)}</Fact>
          {paid_at !== null && <Fact name="Paid">{formatTime(paid_at)}, through Paystack</Fact>}
          <Fact name="Reference">
            <span className={layout.mono}>{orderKeyParts(order.transactionId).transactionId}</span>
          </Fact>
        </dl>
        <table className={styles.goods}>
          <thead>
            <tr>
              <th scope="col">Product</th>
              <th scope="col">Sum</th>
            </tr>
          </thead>
          {shares.map((share) => (
            <tbody key={share.user_id}>
              <tr>
                <th scope="rowgroup" colSpan={2}>
                  {share.businessName}
                  {paid_at !== null && `: ${toShareLabel(order, share)}`}
                </th>
              </tr>
              {lines
                .filter((line) => line.user_id === share.user_id)
                .map(({ product_id, prod_name, quantity, price }) => (
                  <tr key={product_id}>
                    <td>
                      {prod_name}
                      <small className={layout.muted}>
                        {quantity} × <Naira amount={price} />
                      </small>
                    </td>
                    <td>
                      <Naira amount={quantity * price} />
                    </td>
                  </tr>
                ))}
            </tbody>
          ))}
          <tfoot>
            <tr>
              <td>Delivery fee</td>
              <td>
                <Naira amount={delivery_fee} />
              </td>
            </tr>
            <tr className={styles.total}>
              <td>Total</td>
              <td>
                <Naira amount={amount} />
              </td>
            </tr>
          </tfoot>
        </table>
        {paid_at !== null && holding.length > 0 && (
          <p className={`${layout.small} ${layout.muted}`}>
            {holding.length === shares.length ? 'Oja holds what' : 'Oja holds the rest of what'} was
            paid, and pays each seller once the buyer has confirmed the delivery.
          </p>
        )}
      </section>
      {paid_at !== null && (
        <div className={`${layout.row} ${layout.wrap} ${styles.acts}`}>
          <Button look="line" onClick={() => print()}>
            <Icon of={Printer} size="s" />
            Print
          </Button>
          {order.email_hint !== null && (
            <SendReceipt orderKey={order.transactionId} to={order.email_hint} />
          )}
        </div>
      )}
    </Screen>
  );
}

/** Each press sends one letter, however often it is retried; the next press has a new key. */
function SendReceipt({ orderKey, to }: { readonly orderKey: string; readonly to: string }) {
  const [press, setPress] = useState(newIdempotencyKey);
  const online = useOnline();
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => sendReceipt(orderKey, press),
    onSuccess: () => setPress(newIdempotencyKey()),
  });
  return (
    <>
      <Button look="line" busy={isPending} disabled={!online} onClick={() => mutate()}>
        <Icon of={Mail} size="s" />
        Send receipt to {to}
      </Button>
      <div className={styles.sent} role="status">
        {!online && (
          <p className={layout.small}>You are offline: the receipt cannot be sent now.</p>
        )}
        {isSuccess && <Message kind="ok">Receipt sent to {to}. It may take some minutes.</Message>}
        {error !== null && !isPending && <Message kind="err">{errorMessage(error)}</Message>}
      </div>
    </>
  );
}

/** Buyers see paid-out shares as released: whether the seller has received the money does not concern them. */
const shareLabels = {
  held: saleBadges.held.label,
  released: saleBadges.released.label,
  'paid-out': saleBadges.released.label,
  disputed: saleBadges.disputed.label,
  refunded: saleBadges.refunded.label,
} as const;

/** Without the buyer's Yes, or after a complaint, the market has settled it: nobody says that the goods came. */
function toShareLabel(order: Order, { status, complaint }: Order['shares'][number]): string {
  const isSettled = order.delivered_at === undefined || complaint !== undefined;
  const isPaid = status === 'released' || status === 'paid-out';
  return isPaid && isSettled ? 'Settled' : shareLabels[status];
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className={layout.muted}>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
