import { pagePaths } from '@oja/contracts/pages';
import { formatNaira, koboToNaira, limits, untilFreeDelivery } from '@oja/domain/rules';
import { useQuery } from '@tanstack/react-query';
import { PackageX, ShoppingCart, Truck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useParams } from 'react-router-dom';
import { goodsByIdsQuery, isSoldOut, isWithdrawn } from '../../api/goods-by-ids.js';
import { Screen } from '../../app/Screen.js';
import {
  type CartItem,
  removeFromCart,
  useCartItems,
  useDeliveryFee,
  useSingleOrderId,
} from '../../stores/cart.js';
import { refreshCart } from '../../stores/cart-checkout.js';
import { Button, ButtonLink } from '../../ui/Button.js';
import { FEE_RULE, NO_FEE_RULE } from '../../ui/delivery-rule.js';
import { EscrowLine } from '../../ui/EscrowNotice.js';
import { Message } from '../../ui/Field.js';
import { focusHeading } from '../../ui/focus.js';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import * as payBarStyles from '../../ui/PayBar.module.css';
import { Naira, Price } from '../../ui/Price.js';
import { EmptyState } from '../../ui/States.js';
import { Stepper } from '../../ui/Stepper.js';
import * as styles from './CartPage.module.css';
import { SellerPanel } from './SellerPanel.js';
import { type CartTotals, calculateTotals } from './totals.js';

/** Accepts 'single', 'single order' and 'single-order', in any case. */
const isSingleMode = (mode: string) => /^single([ -]order)?$/i.test(mode.trim());

/** The whole cart, whatever its mode. In single mode, the product chosen by Single order is highlighted. */
export default function CartPage() {
  const { mode = '' } = useParams();
  const { items, gone, soldOut, before, left } = useFreshCart();
  const single = useSingleOrderId();
  const fee = useDeliveryFee();
  if (items.length + gone.length === 0) return <EmptyCart />;

  const totals = calculateTotals(items, fee);
  const isShort = items.some(
    (item) => item.quantity > (left.get(item.product_id) ?? item.quantity),
  );
  const blocked = gone.length > 0 || isShort || totals.exceedsLimit;
  return (
    <>
      <Screen title="Your cart" className={`${layout.page} ${styles.page}`}>
        <div className={styles.head}>
          <h1>Your cart</h1>
          <div>
            <Stepper current={1} />
          </div>
        </div>
        <div className={layout.twoColumns}>
          <div className={layout.stack}>
            <UnavailableGoods items={gone} soldOut={soldOut} />
            {totals.groups.map((group) => (
              <SellerPanel
                key={group.sellerId}
                group={group}
                before={before}
                left={left}
                chosen={isSingleMode(mode) ? single : null}
              />
            ))}
          </div>
          {items.length > 0 && <CartSummary totals={totals} blocked={blocked} />}
        </div>
      </Screen>
      {items.length > 0 && <CartBar totals={totals} blocked={blocked} />}
    </>
  );
}

function EmptyCart() {
  return (
    <Screen title="Your cart" className={layout.page}>
      <EmptyState
        motif="seeds"
        icon={ShoppingCart}
        headingLevel="h1"
        title="Oops!!! Cart is empty"
        line="Products that you add to the cart appear here."
        action={
          <>
            <ButtonLink to={pagePaths.home}>Go to the market</ButtonLink>
            <ButtonLink look="ghost" to={pagePaths.myOrders}>
              My orders
            </ButtonLink>
          </>
        }
      />
    </Screen>
  );
}

interface UnavailableGoodsProps {
  readonly items: readonly CartItem[];
  /** Ids of products that are sold out. */
  readonly soldOut: ReadonlySet<string>;
}

/** Names the goods that can no longer be ordered. They stay in the cart until the shopper takes them out. */
function UnavailableGoods({ items, soldOut }: UnavailableGoodsProps) {
  if (items.length === 0) return null;
  const removeAll = () => {
    for (const { product_id } of items) removeFromCart(product_id);
    focusHeading();
  };
  return (
    <section
      className={`${panelStyles.panel} ${styles.goneProducts}`}
      role="status"
      aria-label="No longer available"
    >
      <Icon of={PackageX} />
      <div className={layout.grow}>
        <h2 className={layout.heading}>
          {items.length === 1 ? 'One product is' : `${items.length} products are`} no longer
          available
        </h2>
        <ul>
          {items.map(({ product_id, prod_name = 'A product', businessName }) => (
            <li key={product_id}>
              {prod_name}
              {businessName !== undefined && <span className={layout.muted}>, {businessName}</span>}
              {soldOut.has(product_id) && <b>, sold out</b>}
            </li>
          ))}
        </ul>
        <p className={`${layout.small} ${layout.muted}`}>
          {items.length === 1
            ? 'It is not in the total. Remove it to continue to payment.'
            : 'They are not in the total. Remove them to continue to payment.'}
        </p>
        <Button look="line" size="s" onClick={removeAll}>
          {items.length === 1 ? 'Remove it from the cart' : 'Remove them from the cart'}
        </Button>
      </div>
    </section>
  );
}

interface CartSummaryProps {
  readonly totals: CartTotals;
  /** Whether the checkout is disabled: goods are gone or short, or the total is too high. */
  readonly blocked: boolean;
}

const countText = (count: number, one: string, many: string) =>
  `${count} ${count === 1 ? one : many}`;

/** The totals of the cart. On phones the checkout button is in the bar at the bottom instead. */
function CartSummary({ totals, blocked }: CartSummaryProps) {
  const { products, pieces, subtotal, fee, total } = totals;
  return (
    <aside className={`${panelStyles.panel} ${styles.summary}`} aria-labelledby="cart-summary">
      <h2 id="cart-summary">Cart Summary</h2>
      <dl>
        <div className={panelStyles.amountLine}>
          <dt className={layout.muted}>
            {countText(products, 'product', 'products')}, {countText(pieces, 'piece', 'pieces')}
          </dt>
          <dd>
            <Naira amount={koboToNaira(subtotal)} />
          </dd>
        </div>
        <div className={panelStyles.amountLine}>
          <dt className={layout.muted}>Delivery fee</dt>
          <dd>
            <Naira amount={koboToNaira(fee)} />
          </dd>
        </div>
        <div className={`${panelStyles.amountLine} ${panelStyles.total}`}>
          <dt>Total</dt>
          <Price as="dd" size="mid" amount={koboToNaira(total)} />
        </div>
      </dl>
      {fee > 0 && (
        <p className={`${layout.small} ${styles.untilFree}`}>
          <Icon of={Truck} size="s" />
          <b>{formatNaira(untilFreeDelivery(subtotal))} more for free delivery</b>
        </p>
      )}
      {totals.exceedsLimit && (
        <Message kind="err" role="alert">
          One order can come to {formatNaira(limits.orderAmount.max)} at most. Remove something.
        </Message>
      )}
      <div className={layout.onlyWide}>
        <Checkout blocked={blocked} large />
        <EscrowLine />
      </div>
      <p className={`${layout.small} ${layout.muted} ${styles.deliveryRule}`}>
        {`${FEE_RULE} ${NO_FEE_RULE}`}
      </p>
    </aside>
  );
}

/** On phones: the total and the checkout button, at the bottom of the screen. */
function CartBar({ totals, blocked }: CartSummaryProps) {
  return (
    <section
      className={`${payBarStyles.bar} ${styles.payBar} ${layout.onlyNarrow}`}
      aria-label="Checkout"
    >
      <div className={layout.page}>
        <div className={layout.row}>
          <div className={layout.grow}>
            <p className={`${layout.tiny} ${layout.muted}`}>Total</p>
            <Price size="mid" amount={koboToNaira(totals.total)} />
          </div>
          <Checkout blocked={blocked} />
        </div>
        <EscrowLine />
      </div>
    </section>
  );
}

function Checkout({
  blocked,
  large = false,
}: {
  readonly blocked: boolean;
  readonly large?: boolean;
}) {
  const look = large
    ? ({ look: 'buy', size: 'l', full: true } as const)
    : ({ look: 'buy' } as const);
  if (blocked)
    return (
      <Button {...look} disabled>
        Proceed to Checkout
      </Button>
    );
  return (
    <ButtonLink {...look} to={pagePaths.paymentForm}>
      Proceed to Checkout
    </ButtonLink>
  );
}

interface FreshCart {
  readonly items: readonly CartItem[];
  /** Items that cannot be ordered now: removed, unavailable, sold out, or of a suspended seller. */
  readonly gone: readonly CartItem[];
  /** Ids of products that are sold out. */
  readonly soldOut: ReadonlySet<string>;
  /** Product id → pieces in stock, for products whose seller counts them. */
  readonly left: ReadonlyMap<string, number>;
  /** Product id → price in naira before the seller changed it. */
  readonly before: ReadonlyMap<string, number>;
}

/** The cart with current prices, and which of its goods are gone. As last stored until the server answers. */
function useFreshCart(): FreshCart {
  const storedItems = useCartItems();
  const { data, isFetchedAfterMount } = useQuery(
    goodsByIdsQuery(storedItems.map((item) => item.product_id)),
  );
  const [before, setBefore] = useState<ReadonlyMap<string, number>>(new Map());

  useEffect(() => {
    // Cached data is of an earlier visit: the cart may hold newer prices.
    if (data === undefined || !isFetchedAfterMount) return;
    const changed = refreshCart(data.result);
    if (changed.size > 0) setBefore((known) => new Map([...changed, ...known]));
  }, [data, isFetchedAfterMount]);

  const goneIds = new Set([
    ...(data?.gone ?? []).map(({ product_id }) => product_id),
    ...(data?.result ?? []).filter(isWithdrawn).map(({ product_id }) => product_id),
  ]);
  return {
    items: storedItems.filter(({ product_id }) => !goneIds.has(product_id)),
    gone: storedItems.filter(({ product_id }) => goneIds.has(product_id)),
    soldOut: new Set((data?.result ?? []).filter(isSoldOut).map(({ product_id }) => product_id)),
    left: new Map(
      (data?.result ?? []).flatMap(({ product_id, stock }) =>
        stock === undefined ? [] : [[product_id, stock]],
      ),
    ),
    before,
  };
}
