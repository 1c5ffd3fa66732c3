import { pagePath, pagePaths } from '@oja/contracts/pages';
import { formatNaira, type Kobo, koboToNaira } from '@oja/domain/rules';
import { ArrowLeft, CircleAlert, LockKeyhole, ShoppingBasket } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Screen } from '../../app/Screen.js';
import { Button, ButtonLink } from '../../ui/Button.js';
import { SellerSwatch } from '../../ui/Cloth.js';
import { Dialog } from '../../ui/Dialog.js';
import { EscrowLine } from '../../ui/EscrowNotice.js';
import { TextField } from '../../ui/Field.js';
import * as fieldStyles from '../../ui/Field.module.css';
import { recoverLostFocus } from '../../ui/focus.js';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import { Naira, Price } from '../../ui/Price.js';
import { Skeleton } from '../../ui/Skeleton.js';
import { Spinner } from '../../ui/Spinner.js';
import { EmptyState, LoadFailed } from '../../ui/States.js';
import { Stepper } from '../../ui/Stepper.js';
import { type Basket, type BasketState, useBasket } from './basket.js';
import { OrderGoods } from './order.js';
import * as orderStyles from './order.module.css';
import * as styles from './PaymentFormPage.module.css';
import { labels, useCheckout } from './use-checkout.js';

/** Checkout: the cart or the single chosen product, and the buyer's details. */
export default function PaymentFormPage() {
  return (
    <Screen title="Checkout" className={`${layout.page} ${orderStyles.page}`}>
      <Checkout />
    </Screen>
  );
}

function Checkout() {
  const { basket, failed, ...rest } = useBasket();
  const { gone, short, refetch } = rest;
  const view = failed ? 'failed' : basket === undefined ? 'loading' : 'form';
  useEffect(() => {
    // What is shown now has a heading of its own; the one that had the focus is gone.
    if (view !== undefined) recoverLostFocus();
  }, [view]);
  if (failed)
    return (
      <>
        <h1 className={layout.visuallyHidden}>Where should it go?</h1>
        <LoadFailed onRetry={() => void refetch()} />
      </>
    );
  if (basket === undefined) return <FormSkeleton />;
  if (basket.items.length > 0) return <PaymentForm basket={basket} {...rest} />;
  return (
    <>
      {gone.length > 0 && <GoodsGone names={gone} />}
      {short.length > 0 && <NotEnoughStock text={short.join(' ')} />}
      <EmptyState
        motif="moon"
        icon={ShoppingBasket}
        headingLevel="h1"
        title="Oops!!! Cart is empty"
        line="There is nothing to pay for yet. Put something in your cart, or choose Single order on a product."
        action={<ButtonLink to={pagePaths.home}>Go to the market</ButtonLink>}
      />
    </>
  );
}

interface PaymentFormProps extends Omit<BasketState, 'basket' | 'failed'> {
  readonly basket: Basket;
}

/** Asks where the order goes, shows what it costs, and leads to the payment provider. Never asks for card data. */
function PaymentForm({ basket, gone, short, before, refetch }: PaymentFormProps) {
  const { form, amount, sending, outcome, submit, dismiss } = useCheckout(basket, refetch);
  const { errors } = form.formState;
  const missing = outcome?.kind === 'gone' ? outcome.names : gone;
  const tooFew = outcome?.kind === 'short' ? outcome.message : short.join(' ');
  return (
    <>
      <div className={orderStyles.steps}>
        <Stepper current={2} />
      </div>
      <div className={layout.twoColumns}>
        <section className={panelStyles.panel}>
          <FormHeading />
          {outcome?.kind === 'paid-before' && <PaidBefore numbers={outcome.numbers} />}
          {missing.length > 0 && <GoodsGone names={missing} />}
          {tooFew !== '' && <NotEnoughStock text={tooFew} />}
          {(outcome?.kind === 'amount-changed' || before.size > 0) && (
            <AmountChanged key={amount} amount={amount} />
          )}
          <form
            className={`${fieldStyles.form} ${fieldStyles.twoColumns}`}
            onSubmit={submit}
            noValidate
            aria-label="Payment form"
          >
            <TextField
              label={labels.full_name}
              required
              autoComplete="name"
              error={errors.full_name?.message}
              {...form.register('full_name')}
            />
            <TextField
              label={labels.email}
              required
              type="email"
              inputMode="email"
              autoComplete="email"
              error={errors.email?.message}
              {...form.register('email')}
            />
            <TextField
              label={labels.home_address}
              required
              wide
              autoComplete="street-address"
              error={errors.home_address?.message}
              {...form.register('home_address')}
            />
            <TextField
              label={labels.phone_number}
              required
              figures
              type="tel"
              inputMode="tel"
              autoComplete="tel"
              error={errors.phone_number?.message}
              {...form.register('phone_number')}
            />
            <TextField
              label="Amount"
              required
              figures
              className={styles.total}
              readOnly
              value={formatNaira(amount)}
            />
            <div className={fieldStyles.wide}>
              <Button type="submit" look="buy" size="l" full busy={sending}>
                Submit
              </Button>
              <div
                className={`${layout.row} ${layout.spaceBetween} ${layout.wrap} ${styles.assurances}`}
              >
                <EscrowLine />
                <p className={`${layout.tiny} ${layout.muted} ${layout.row}`}>
                  <Icon of={LockKeyhole} size="xs" />
                  Card details are typed on Paystack, never here
                </p>
              </div>
            </div>
          </form>
        </section>
        <OrderSummary basket={basket} before={before} amount={amount} />
        {sending && <Spinner overlay label="Taking you to the payment page" />}
        <PaymentError
          message={outcome?.kind === 'failed' ? outcome.message : undefined}
          onClose={dismiss}
        />
      </div>
    </>
  );
}

/** The heading of the form, with the way back to the cart and what the details are used for. */
function FormHeading() {
  return (
    <>
      <ButtonLink
        look="ghost"
        size="s"
        className={styles.back}
        to={pagePath('cart', { mode: 'multiple-order' })}
      >
        <Icon of={ArrowLeft} size="s" />
        Back to cart
      </ButtonLink>
      <h1>Where should it go?</h1>
      <p className={`${layout.muted} ${styles.intro}`}>
        No account needed. Your name, address and phone are used only to deliver.
      </p>
    </>
  );
}

/** A message to read before sending again. On appearing it scrolls into view, and screen readers announce it. */
function Notice({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  // On phones the notice is above the visible part of the page when Submit is pressed.
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={box} className={styles.notice} role="alert">
      <Icon of={CircleAlert} />
      <div>
        <b>{title}</b>
        {children}
      </div>
    </div>
  );
}

function AmountChanged({ amount }: { readonly amount: Kobo }) {
  return (
    <Notice title="The total has changed">
      <p>
        A price changed while you were shopping. The total is now <b>{formatNaira(amount)}</b>.
        Press Submit to pay it.
      </p>
    </Notice>
  );
}

/** The same goods were paid for, and nobody came back from the payment page. */
function PaidBefore({ numbers }: { readonly numbers: readonly string[] }) {
  const orders = numbers.length === 1 ? 'order' : 'orders';
  return (
    <Notice title="You have paid for this already">
      <p>
        The payment of {orders} {numbers.join(', ')} has arrived. Press Submit only for what you
        want to buy besides.
      </p>
      <ButtonLink look="line" size="s" to={pagePaths.myOrders}>
        My orders
      </ButtonLink>
    </Notice>
  );
}

function GoodsGone({ names }: { readonly names: readonly string[] }) {
  return (
    <Notice
      title={names.length === 1 ? 'One product is gone' : `${names.length} products are gone`}
    >
      <p>
        No longer available: {names.join(', ')}. Remove {names.length === 1 ? 'it' : 'them'} from
        the cart to continue with the rest.
      </p>
      <ButtonLink look="line" size="s" to={pagePath('cart', { mode: 'multiple-order' })}>
        Back to the cart
      </ButtonLink>
    </Notice>
  );
}

/** Fewer pieces are in stock than were ordered; no money has moved. */
function NotEnoughStock({ text }: { readonly text: string }) {
  return (
    <Notice title="Not enough in stock">
      <p>{text} You have not been charged.</p>
      <ButtonLink look="line" size="s" to={pagePath('cart', { mode: 'multiple-order' })}>
        Back to the cart
      </ButtonLink>
    </Notice>
  );
}

interface OrderSummaryProps {
  readonly basket: Basket;
  /** Product id → the price in naira that has changed. */
  readonly before: ReadonlyMap<string, number>;
  /** The amount to pay: the server's where it differs from the sum computed here. */
  readonly amount: Kobo;
}

/** The order by seller, beside or below the form. */
function OrderSummary({ basket, before, amount }: OrderSummaryProps) {
  return (
    <aside className={`${panelStyles.panel} ${styles.summary}`} aria-label="Your order">
      <h2>Your order</h2>
      {basket.groups.map(({ sellerId, businessName, lines }) => (
        <section key={sellerId} aria-label={businessName}>
          <h3 className={styles.seller}>
            <SellerSwatch sellerId={sellerId} />
            {businessName}
          </h3>
          <OrderGoods
            goods={lines.map((item) => ({ ...item, before: before.get(item.product_id) }))}
          />
        </section>
      ))}
      <dl>
        {amount === basket.total && (
          <>
            <Row name="Products" amount={basket.subtotal} />
            <Row name="Delivery fee" amount={basket.fee} />
          </>
        )}
        <div className={`${panelStyles.amountLine} ${panelStyles.total}`}>
          <dt>Total</dt>
          <Price as="dd" size="mid" amount={koboToNaira(amount)} />
        </div>
      </dl>
    </aside>
  );
}

function Row({ name, amount }: { readonly name: string; readonly amount: Kobo }) {
  return (
    <div className={panelStyles.amountLine}>
      <dt className={layout.muted}>{name}</dt>
      <dd>
        <Naira amount={koboToNaira(amount)} />
      </dd>
    </div>
  );
}

interface PaymentErrorProps {
  /** The message of the server or of the client; undefined while nothing has failed. */
  readonly message: string | undefined;
  readonly onClose: () => void;
}

/** The payment page could not be opened. The typed details are kept, and so is the order. */
function PaymentError({ message, onClose }: PaymentErrorProps) {
  return (
    <Dialog
      open={message !== undefined}
      onClose={onClose}
      title="Payment Error"
      plain
      foot={
        <Button full onClick={onClose}>
          Close
        </Button>
      }
    >
      <p>There was an issue redirecting to the payment page. Please try again.</p>
      {message !== undefined && (
        <p className={`${layout.muted} ${layout.small} ${styles.reason}`}>{message}</p>
      )}
    </Dialog>
  );
}

/** Heights in px: of a field with its label, and of the button with the lines below it. */
const FIELD_HEIGHT = 76;
const SUBMIT_HEIGHT = 104;

/** The form and its summary while the single product loads. */
function FormSkeleton() {
  return (
    <>
      <div className={orderStyles.steps}>
        <Stepper current={2} />
      </div>
      <div className={layout.twoColumns} aria-busy="true">
        <section className={panelStyles.panel}>
          <FormHeading />
          <div className={`${fieldStyles.form} ${fieldStyles.twoColumns}`}>
            <Skeleton height={FIELD_HEIGHT} />
            <Skeleton height={FIELD_HEIGHT} />
            <Skeleton height={FIELD_HEIGHT} className={fieldStyles.wide} />
            <Skeleton height={FIELD_HEIGHT} />
            <Skeleton height={FIELD_HEIGHT} />
            <Skeleton height={SUBMIT_HEIGHT} className={fieldStyles.wide} />
          </div>
        </section>
        <aside className={`${panelStyles.panel} ${layout.stack}`}>
          <h2>Your order</h2>
          <Skeleton height={52} />
          <Skeleton height={124} />
        </aside>
      </div>
    </>
  );
}
