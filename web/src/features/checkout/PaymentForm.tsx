import { formatNaira } from '@oja/domain/rules';
import { LockKeyhole } from 'lucide-react';
import { Button } from '../../ui/Button.js';
import { HeldLine } from '../../ui/Held.js';
import { Icon } from '../../ui/Icon.js';
import { Spinner } from '../../ui/Spinner.js';
import { Stepper } from '../../ui/Stepper.js';
import { TextField } from '../../ui/TextField.js';
import type { Basket } from './basket.js';
import { AmountChanged, GoodsGone } from './Notice.js';
import { OrderSummary } from './OrderSummary.js';
import { PaymentError } from './PaymentError.js';
import { labels } from './rules.js';
import { useCheckout } from './use-checkout.js';
import { WhereTo } from './WhereTo.js';

interface PaymentFormProps {
  readonly basket: Basket;
  readonly gone: readonly string[];
  readonly refetch: () => Promise<unknown>;
}

/** Where the order goes, what it costs, and on to the provider. Card data is never asked for here. */
export function PaymentForm({ basket, gone, refetch }: PaymentFormProps) {
  const { form, amount, sending, outcome, submit, dismiss } = useCheckout(basket, refetch);
  const { errors } = form.formState;
  const missing = outcome?.kind === 'gone' ? outcome.names : gone;
  return (
    <>
      <div className="stepline">
        <Stepper now={2} />
      </div>
      <div className="two">
        <section className="panel">
          <WhereTo />
          {missing.length > 0 && <GoodsGone names={missing} />}
          {outcome?.kind === 'amount-changed' && <AmountChanged amount={amount} />}
          <form className="form two" onSubmit={submit} noValidate aria-label="Payment form">
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
              className="total"
              readOnly
              value={formatNaira(amount)}
            />
            <div className="w">
              <Button type="submit" look="buy" size="l" full busy={sending}>
                Submit
              </Button>
              <div className="row spread wrap assure">
                <HeldLine />
                <p className="tiny muted row">
                  <Icon of={LockKeyhole} size="xs" />
                  Card details are typed on Paystack, never here
                </p>
              </div>
            </div>
          </form>
        </section>
        <OrderSummary basket={basket} amount={amount} />
        {sending && <Spinner overlay label="Taking you to the payment page" />}
        <PaymentError
          message={outcome?.kind === 'failed' ? outcome.message : undefined}
          onClose={dismiss}
        />
      </div>
    </>
  );
}
