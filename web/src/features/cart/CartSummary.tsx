import { formatNaira, koboToNaira, limits } from '@oja/domain/rules';
import { Button, ButtonLink } from '../../ui/Button.js';
import { Message } from '../../ui/Field.js';
import { HeldLine } from '../../ui/Held.js';
import { Naira, Price } from '../../ui/Price.js';
import type { CartTotals } from './totals.js';

interface CartSummaryProps {
  readonly totals: CartTotals;
  /** Something has to be settled before paying. */
  readonly blocked: boolean;
}

const counted = (count: number, one: string, many: string) =>
  `${count} ${count === 1 ? one : many}`;

/** What the cart comes to. The act itself stands in the bar at the foot on phones. */
export function CartSummary({ totals, blocked }: CartSummaryProps) {
  const { products, pieces, subtotal, fee, total } = totals;
  return (
    <aside className="panel sum" aria-labelledby="cart-summary">
      <h2 id="cart-summary">Cart Summary</h2>
      <dl>
        <div className="kv">
          <dt className="muted">
            {counted(products, 'product', 'products')}, {counted(pieces, 'piece', 'pieces')}
          </dt>
          <dd>
            <Naira amount={koboToNaira(subtotal)} />
          </dd>
        </div>
        <div className="kv">
          <dt className="muted">Delivery fee</dt>
          <dd>
            <Naira amount={koboToNaira(fee)} />
          </dd>
        </div>
        <div className="kv t">
          <dt>Total</dt>
          <Price as="dd" size="mid" amount={koboToNaira(total)} />
        </div>
      </dl>
      {totals.tooMuch && (
        <Message kind="err" role="alert">
          One order can come to {formatNaira(limits.orderAmount.max)} at most. Take something out.
        </Message>
      )}
      <div className="only-l">
        <Checkout blocked={blocked} large />
        <HeldLine />
      </div>
      <p className="small muted rule">
        Purchases below ₦5,000.00 incur a delivery fee of ₦800.00. Purchases above ₦5,000.00 have no
        fee and are delivered in 24 hours.
      </p>
    </aside>
  );
}

/** On phones: the total and the act, stuck to the foot. */
export function CartBar({ totals, blocked }: CartSummaryProps) {
  return (
    <section className="paybar only-s" aria-label="Checkout">
      <div className="page">
        <div className="row">
          <div className="grow">
            <p className="tiny muted">Total</p>
            <Price size="mid" amount={koboToNaira(totals.total)} />
          </div>
          <Checkout blocked={blocked} />
        </div>
        <HeldLine />
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
    <ButtonLink {...look} to="/payment-form">
      Proceed to Checkout
    </ButtonLink>
  );
}
