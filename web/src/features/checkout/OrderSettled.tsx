import { pagePaths } from '@oja/contracts/pages';
import { Check, Clock, type LucideIcon, Undo2, Wallet } from 'lucide-react';
import type { Order } from '../../api/types.js';
import { ButtonLink } from '../../ui/Button.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import { Price } from '../../ui/Price.js';
import { Stepper } from '../../ui/Stepper.js';
import { dateOf, listed, OrderGoods, type OrderState, Seal } from './order.js';
import * as styles from './order.module.css';

type Settled = Exclude<OrderState, 'asked'>;

interface View {
  readonly step: number;
  readonly icon: LucideIcon;
  readonly tone: 'safe' | 'wait';
  readonly title: string;
  readonly line: (order: Order) => string;
}

/** Of several sellers one may have been settled for the buyer. */
function whoGotIt({ shares }: Order): string {
  const namesOf = (isBack: boolean) =>
    listed(
      shares
        .filter(({ status }) => (status === 'refunded') === isBack)
        .map(({ businessName }) => businessName),
    );
  const [paid, back] = [namesOf(false), namesOf(true)];
  const given = back === '' ? '' : ` What the goods of ${back} cost goes back to you.`;
  return `The money went to ${paid}.${given}`;
}

const views: Readonly<Record<Settled, View>> = {
  unpaid: {
    step: 2,
    icon: Wallet,
    tone: 'wait',
    title: 'This order is not paid yet',
    line: () => 'As soon as the money has come you can confirm the delivery here.',
  },
  delivered: {
    step: 5,
    icon: Check,
    tone: 'safe',
    title: 'You have confirmed this delivery',
    line: whoGotIt,
  },
  disputed: {
    step: 4,
    icon: Clock,
    tone: 'wait',
    title: 'We are looking into your problem',
    line: ({ shares }) => {
      const names = shares.filter(({ status }) => status === 'disputed');
      return `The money for the goods of ${listed(names.map((share) => share.businessName))} stays with Oja until this is settled.`;
    },
  },
  refunded: {
    step: 5,
    icon: Undo2,
    tone: 'safe',
    title: 'Your money was given back',
    line: () => 'Banks take up to ten working days to show it. If it does not come, write to us.',
  },
};

/** An order about which there is no question any more. */
export function OrderSettled({ order, state }: { readonly order: Order; readonly state: Settled }) {
  const { step, icon, tone, title, line } = views[state];
  return (
    <>
      <div className={styles.steps}>
        <Stepper now={step} />
      </div>
      <section className={`${panelStyles.panel} ${styles.outcome}`}>
        <div className={layout.centered}>
          <Seal of={icon} tone={tone} />
          <h1>{title}</h1>
          <Price size="mid" className={styles.amount} amount={order.amount} />
          <p className={`${layout.muted} ${styles.advice}`}>{line(order)}</p>
        </div>
        <OrderGoods goods={order.lines} named />
        <p className={`${layout.small} ${layout.muted} ${layout.centered}`}>
          {order.paid_at === null
            ? `Ordered ${dateOf(order.created_at)}`
            : `Paid ${dateOf(order.paid_at)}`}
        </p>
        <div className={`${styles.actions} ${styles.next}`}>
          {state === 'unpaid' ? (
            <ButtonLink full to={pagePaths.paymentForm}>
              To the payment form
            </ButtonLink>
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
