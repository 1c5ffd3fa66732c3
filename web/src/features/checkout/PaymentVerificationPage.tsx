import { pagePaths } from '@oja/contracts/pages';
import { DELIVERY_THRESHOLD, nairaToKobo, orderNumber } from '@oja/domain/rules';
import { useQuery } from '@tanstack/react-query';
import { Check, Clock, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Answer, Order } from '../../api/types.js';
import { Screen } from '../../app/Screen.js';
import { ButtonLink } from '../../ui/Button.js';
import { CopyButton } from '../../ui/CopyButton.js';
import { EscrowNotice } from '../../ui/EscrowNotice.js';
import { recoverLostFocus } from '../../ui/focus.js';
import { Link } from '../../ui/Link.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import { Price } from '../../ui/Price.js';
import { Skeleton } from '../../ui/Skeleton.js';
import { Spinner } from '../../ui/Spinner.js';
import { StepButton } from '../../ui/States.js';
import { Stepper } from '../../ui/Stepper.js';
import { orderQuery, verifyQuery } from './api.js';
import { loadBuyer } from './draft.js';
import { type OutcomeState, outcomeView } from './OrderOutcome.js';
import { heldSellers, OrderGoods, OtherPayment, OutcomeIcon, toOrderState } from './order.js';
import * as styles from './order.module.css';
import { orderKeyOfPayment, recordReturnedPayment, recordVerifiedPayment } from './payments.js';

/** The four messages, worded exactly as prescribed. */
const messages = {
  paid: 'Payment was successful!',
  unpaid: 'Payment verification failed.',
  'no-reference': 'No payment reference found.',
  failed: 'Error verifying payment.',
} as const;

type Verification =
  | { readonly state: 'asking' }
  /** Without a key when another browser placed the order. */
  | { readonly state: 'paid'; readonly orderKey: string | undefined }
  | { readonly state: 'unpaid'; readonly status: string | undefined }
  | { readonly state: 'no-reference' }
  | { readonly state: 'failed' };

/** Asks the server whether the payment has arrived, and acts on success once. */
function useVerification(reference: string): {
  readonly verification: Verification;
  readonly retry: () => void;
} {
  const { data, isError, isFetching, refetch } = useQuery({
    ...verifyQuery(reference),
    enabled: reference !== '',
  });
  useEffect(() => {
    if (data?.ok) recordVerifiedPayment(reference, data.transactionId);
    else if (Object.hasOwn(REFUND_ADVICE, data?.status ?? '')) recordReturnedPayment(reference);
  }, [data, reference]);
  return {
    verification: toVerification(reference, isFetching, isError, data),
    retry: () => void refetch(),
  };
}

function toVerification(
  reference: string,
  asking: boolean,
  failed: boolean,
  data: Answer<'verifyTransaction'> | undefined,
): Verification {
  if (reference === '') return { state: 'no-reference' };
  if (data?.ok)
    return { state: 'paid', orderKey: orderKeyOfPayment(reference, data.transactionId) };
  if (asking) return { state: 'asking' };
  if (failed || data === undefined) return { state: 'failed' };
  return { state: 'unpaid', status: data.status };
}

/** The page to which the payment provider returns. It asks the server whether the money has arrived. */
export default function PaymentVerificationPage() {
  const [params] = useSearchParams();
  const reference = params.get('reference')?.trim() || params.get('trxref')?.trim() || '';
  /** Only the tab where it was typed has the address, in a draft that is deleted once the payment is verified. */
  const [buyerEmail] = useState(() => loadBuyer().email);
  const { verification, retry } = useVerification(reference);
  const { state } = verification;
  useEffect(() => {
    // Each state has a heading of its own; the one that had the focus is gone.
    if (state !== undefined) recoverLostFocus();
  }, [state]);
  const asking = state === 'asking';
  const orderKey = verification.state === 'paid' ? verification.orderKey : undefined;
  const { data: order, isLoading } = useQuery({
    ...orderQuery(orderKey ?? ''),
    enabled: orderKey !== undefined,
  });
  const settled = order && toOutcomeState(order);
  const step =
    order && settled ? outcomeView(order, settled).step : verification.state === 'paid' ? 3 : 2;
  return (
    <Screen
      title="Payment Verification"
      className={`${layout.page} ${layout.narrow} ${styles.page}`}
    >
      {step !== undefined && (
        <div className={styles.steps}>
          <Stepper current={step} />
        </div>
      )}
      <section
        className={`${panelStyles.panel} ${layout.centered} ${styles.outcome}`}
        aria-live="polite"
        aria-busy={asking}
      >
        {asking && (
          <>
            <h1>Payment Verification</h1>
            <Spinner label="Verifying your payment" />
            <p className={layout.muted}>Checking your payment. This takes a few seconds.</p>
          </>
        )}
        {verification.state === 'paid' && (
          <Paid
            reference={reference}
            orderKey={orderKey}
            receiptTo={buyerEmail}
            order={order}
            settled={settled}
            isLoading={isLoading}
          />
        )}
        {verification.state !== 'asking' && verification.state !== 'paid' && (
          <NotPaid verification={verification} reference={reference} onRetry={retry} />
        )}
      </section>
    </Screen>
  );
}

/**
 * The state of an order about which nothing is asked any more. The address of a payment stays in histories and bookmarks
 * long after that. Undefined for one that waits for its delivery, also where the answer does not know the payment yet.
 */
function toOutcomeState(order: Order): OutcomeState | undefined {
  const state = toOrderState(order);
  return state === 'asked' || order.paid_at === null ? undefined : state;
}

interface PaidProps {
  readonly reference: string;
  readonly orderKey: string | undefined;
  /** The buyer's e-mail address, if this tab knows it. */
  readonly receiptTo: string | undefined;
  readonly order: Order | undefined;
  readonly settled: OutcomeState | undefined;
  readonly isLoading: boolean;
}

/** The payment has arrived: what was paid, where the money is, and what comes next. */
function Paid({ reference, orderKey, receiptTo, order, settled, isLoading }: PaidProps) {
  return (
    <>
      <OutcomeIcon of={Check} />
      <p className={`${layout.muted} ${layout.small}`}>Payment Verification</p>
      <h1>{messages.paid}</h1>
      {isLoading && <Skeleton className={styles.comingAmount} />}
      {order && <Price size="big" className={styles.amount} amount={order.amount} />}
      {orderKey !== undefined && <OrderNumber of={orderNumber(orderKey)} />}
      <p className={layout.small}>
        {receiptTo ? (
          <>
            Receipt sent to <b>{receiptTo}</b>
          </>
        ) : (
          'Receipt sent by e-mail'
        )}
      </p>
      {order && <OtherPayment order={order} />}
      {isLoading && <Skeleton className={styles.comingGoods} />}
      {order && (
        <section className={styles.bought} aria-label="What you bought">
          <OrderGoods goods={order.lines} showSellers />
        </section>
      )}
      {order && settled ? (
        <OutcomeSummary order={order} state={settled} />
      ) : (
        <>
          {/* Of an order that this browser cannot read, the money may have gone on already. */}
          <EscrowNotice>
            {order ? describeDelivery(order) : 'Oja keeps your money until you confirm delivery.'}
          </EscrowNotice>
          <NextSteps />
        </>
      )}
      <ButtonLink size="l" full to={pagePaths.deliveryConfirmation} state={{ orderKey }}>
        To confirmation
      </ButtonLink>
      {orderKey !== undefined && (
        <p className={layout.moreBelow}>
          <Link className={layout.link} to={pagePaths.myOrders}>
            My orders on this device
          </Link>
        </p>
      )}
      <Reference text={reference} />
    </>
  );
}

/** The order number, as people read it aloud or write it down. */
function OrderNumber({ of }: { readonly of: string }) {
  return (
    <p className={`${layout.row} ${styles.number}`}>
      Order <b className={layout.mono}>{of}</b>
      <CopyButton text={of} what="the order number" />
    </p>
  );
}

function OutcomeSummary({ order, state }: { readonly order: Order; readonly state: OutcomeState }) {
  const { title, line } = outcomeView(order, state);
  return (
    <section aria-labelledby="state">
      <h2 id="state" className={layout.heading}>
        {title}
      </h2>
      <p className={`${layout.muted} ${styles.advice}`}>{line(order)}</p>
    </section>
  );
}

function NextSteps() {
  return (
    <section className={styles.whatIsNext} aria-labelledby="next">
      <h2 id="next" className={layout.heading}>
        What happens next
      </h2>
      <ol>
        <li>Your goods are brought to your address. The rider calls the number you gave.</li>
        <li>Check them, then say Yes under ‘To confirmation’: only then is the seller paid.</li>
        <li>
          Not come, or not as described? From 48 hours after the payment you can report a problem
          there. Your money stays with Oja until it is settled.
        </li>
      </ol>
    </section>
  );
}

/**
 * Says who is to deliver, and where the money for it is; what other sellers of the order had to get may be settled.
 * Above the threshold shoppers are promised delivery within 24 hours.
 */
function describeDelivery(order: Order): string {
  const { shares, amount, delivery_fee } = order;
  const sellers = heldSellers(order);
  const count = shares.filter(({ status }) => status === 'held').length;
  const products = nairaToKobo(amount) - nairaToKobo(delivery_fee);
  const when = products > DELIVERY_THRESHOLD ? ' within 24 hours' : '';
  const have = count === 1 ? 'has' : 'have';
  const money = count === shares.length ? 'Your money' : `The money for goods of ${sellers}`;
  return `${money} is with Oja. ${sellers} ${have} been told to deliver${when}.`;
}

type FailedVerification = Exclude<Verification, { readonly state: 'asking' | 'paid' }>;

/** Statuses of a payment that may still succeed. */
const PENDING_STATUSES: readonly string[] = ['pending', 'ongoing', 'processing', 'queued'];

/** Statuses of a payment whose money came and goes back. */
const REFUND_ADVICE: Readonly<Record<string, string>> = {
  mismatched:
    'What was paid is not what this order costs. It goes back to you in full; write to us if it does not come.',
  sold_out:
    'These goods were sold out, or taken off the market, before your payment came. It goes back to you in full: nothing was ordered.',
  reversed: 'This payment was taken back. Your bank gives you the money.',
};

interface NotPaidProps {
  readonly verification: FailedVerification;
  readonly reference: string;
  readonly onRetry: () => void;
}

/** The money has not arrived, or nobody knows whether it has. */
function NotPaid({ verification, reference, onRetry }: NotPaidProps) {
  const { state } = verification;
  const message = messages[state];
  const waiting = state === 'unpaid' && PENDING_STATUSES.includes(verification.status ?? '');
  return (
    <>
      <OutcomeIcon of={waiting ? Clock : X} tone={waiting ? 'wait' : 'bad'} />
      <p className={`${layout.muted} ${layout.small}`}>Payment Verification</p>
      <h1>{message}</h1>
      <p className={`${layout.muted} ${styles.advice}`}>{toAdvice(verification)}</p>
      <div className={styles.actions}>
        <ButtonLink size="l" full to={contactAddress(message, reference)}>
          Contact us
        </ButtonLink>
        {state !== 'no-reference' && <StepButton onPress={onRetry}>Check again</StepButton>}
        {verification.state === 'unpaid' && !waiting && (
          <ButtonLink look="ghost" full to={pagePaths.paymentForm}>
            Back to the payment form
          </ButtonLink>
        )}
      </div>
      {reference !== '' && <Reference text={reference} />}
    </>
  );
}

function toAdvice(verification: FailedVerification): string {
  if (verification.state === 'no-reference')
    return 'The address of this page lacks the reference of your payment. If you have paid, your receipt comes by mail; if none comes, write to us.';
  if (verification.state === 'failed')
    return 'We could not check your payment. If money left your account it is not lost: check again, or write to us.';
  const status = verification.status ?? '';
  if (PENDING_STATUSES.includes(status))
    return 'Your bank has not finished yet. Wait a little, then check again.';
  return (
    REFUND_ADVICE[status] ??
    'No money has reached us, and your cart is as it was. If your bank says otherwise, write to us.'
  );
}

/** Address of the contact form, with message and reference filled in. The subject keeps the product's own spelling. */
function contactAddress(message: string, reference: string): string {
  const about = reference === '' ? 'There is no reference.' : `Reference: ${reference}`;
  return `${pagePaths.contact}?${new URLSearchParams({
    subject: 'VERFICATION ERROR',
    message: `${message} ${about}`,
  })}`;
}

/** The payment reference, to quote when contacting us. */
function Reference({ text }: { readonly text: string }) {
  return (
    <p className={`${layout.tiny} ${layout.muted} ${styles.reference}`}>
      Reference <span className={layout.figures}>{text}</span>
    </p>
  );
}
