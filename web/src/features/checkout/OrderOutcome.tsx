import { pagePath, pagePaths } from '@oja/contracts/pages';
import { Check, Clock, type LucideIcon, Undo2, Wallet } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Order } from '../../api/types.js';
import { restoreToCart } from '../../stores/cart.js';
import { Button, ButtonLink } from '../../ui/Button.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import { Price } from '../../ui/Price.js';
import { Stepper } from '../../ui/Stepper.js';
import { toastCartFull } from '../goods/GoodsList.js';
import type { ShownPrices } from './basket.js';
import {
  describeMovedMoney,
  formatDate,
  joinNames,
  OrderGoods,
  type OrderState,
  OtherPayment,
  OutcomeIcon,
  sellersWithStatus,
} from './order.js';
import * as styles from './order.module.css';

export type OutcomeState = Exclude<OrderState, 'asked'>;

interface OutcomeView {
  /** Undefined where the order has left the usual steps. */
  readonly step: number | undefined;
  readonly icon: LucideIcon;
  readonly tone: 'safe' | 'wait';
  readonly title: string;
  /** Where the money is. */
  readonly line: (order: Order) => string;
}

/** Says who was paid. In an order of several sellers, some shares may have been refunded. */
function describePaidSellers({ shares }: Order): string {
  const namesOf = (isBack: boolean) =>
    joinNames(
      shares
        .filter(({ status }) => (status === 'refunded') === isBack)
        .map(({ businessName }) => businessName),
    );
  const [paid, back] = [namesOf(false), namesOf(true)];
  const given = back === '' ? '' : ` What the goods of ${back} cost goes back to you.`;
  return `The money went to ${paid}.${given}`;
}

const outcomeViews: Readonly<Record<OutcomeState, OutcomeView>> = {
  unpaid: {
    step: 2,
    icon: Wallet,
    tone: 'wait',
    title: 'This order is not paid yet',
    line: () => 'Once the order is paid, you can confirm the delivery here.',
  },
  returned: {
    step: undefined,
    icon: Undo2,
    tone: 'wait',
    title: 'Your payment goes back to you',
    line: () =>
      'It could not be taken, so nothing was ordered. Banks take up to ten working days to show the money. If it does not come, write to us.',
  },
  delivered: {
    step: 5,
    icon: Check,
    tone: 'safe',
    title: 'You have confirmed this delivery',
    line: describePaidSellers,
  },
  // Nobody knows yet whether it was delivered.
  disputed: {
    step: 3,
    icon: Clock,
    tone: 'wait',
    title: 'We are looking into your problem',
    line: (order) =>
      `The money for the goods of ${sellersWithStatus(order, 'disputed')} stays with Oja until this is settled. ${describeMovedMoney(order)}`.trim(),
  },
  // No step: whether it was delivered no longer matters.
  refunded: {
    step: undefined,
    icon: Undo2,
    tone: 'safe',
    title: 'Your money was given back',
    line: () => 'Banks take up to ten working days to show it. If it does not come, write to us.',
  },
};

/** The cardholder's bank has taken the payment: no refund is on its way from here. */
const takenBack: Pick<OutcomeView, 'title' | 'line'> = {
  title: 'Your bank has taken the payment back',
  line: () => 'Your bank gives you the money. Nothing is held for this order any more.',
};

/** How an outcome is shown. An order that the market settled without the buyer's Yes may never have been delivered. */
export function outcomeView(order: Order, state: OutcomeState): OutcomeView {
  if (state === 'refunded' && order.status === 'reversed')
    return { ...outcomeViews.refunded, ...takenBack };
  if (state !== 'delivered' || order.delivered_at !== undefined) return outcomeViews[state];
  return { ...outcomeViews.delivered, step: undefined, title: 'This order is settled' };
}

interface PayAgainProps extends Pick<ComponentProps<typeof Button>, 'size' | 'full'> {
  readonly order: Order;
  readonly children: ReactNode;
}

/**
 * A button to the payment form. It first puts the order's goods back into the cart, which may have
 * lost some. Submitted unchanged in the same browser, it is the same order; otherwise a new one at
 * current prices.
 */
export function PayAgain({ order, children, ...look }: PayAgainProps) {
  const navigate = useNavigate();
  const go = () => {
    const outcomes = [...order.lines.entries()].map(([place, item]) =>
      restoreToCart({ item, place }),
    );
    const isFull = outcomes.includes('full');
    if (isFull) {
      toastCartFull();
      return void navigate(pagePath('cart', { mode: 'multiple-order' }));
    }
    const prices = Object.fromEntries(order.lines.map((line) => [line.product_id, line.price]));
    void navigate(pagePaths.paymentForm, { state: { prices } satisfies ShownPrices });
  };
  return (
    <Button {...look} onClick={go}>
      {children}
    </Button>
  );
}

/** An order whose question is not open: not paid, delivered, disputed or refunded. */
export function OrderOutcome({
  order,
  state,
}: {
  readonly order: Order;
  readonly state: OutcomeState;
}) {
  const { step, icon, tone, title, line } = outcomeView(order, state);
  return (
    <>
      {step !== undefined && (
        <div className={styles.steps}>
          <Stepper current={step} />
        </div>
      )}
      <section className={`${panelStyles.panel} ${styles.outcome}`}>
        <div className={layout.centered}>
          <OutcomeIcon of={icon} tone={tone} />
          <h1>{title}</h1>
          <Price size="mid" className={styles.amount} amount={order.amount} />
          <p className={`${layout.muted} ${styles.advice}`}>{line(order)}</p>
          <OtherPayment order={order} />
        </div>
        <OrderGoods goods={order.lines} showSellers />
        <p className={`${layout.small} ${layout.muted} ${layout.centered}`}>
          {order.paid_at === null
            ? `Ordered ${formatDate(order.created_at)}`
            : `Paid ${formatDate(order.paid_at)}`}
        </p>
        <div className={`${styles.actions} ${styles.next}`}>
          {state === 'unpaid' ? (
            <PayAgain full order={order}>
              To the payment form
            </PayAgain>
          ) : (
            <ButtonLink full to={pagePaths.home}>
              Go to the market
            </ButtonLink>
          )}
          {state === 'delivered' && (
            <ButtonLink look="line" full to={pagePaths.reviews}>
              Say how it was
            </ButtonLink>
          )}
        </div>
      </section>
    </>
  );
}
