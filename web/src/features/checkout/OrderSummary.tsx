import { type Kobo, koboToNaira } from '@oja/domain/rules';
import { Naira, Price } from '../../ui/Price.js';
import { SellerSwatch } from '../../ui/SellerSwatch.js';
import { type Basket, bySeller } from './basket.js';
import { OrderGoods } from './OrderGoods.js';

interface OrderSummaryProps {
  readonly basket: Basket;
  /** What will be asked for: the server's word where it differs from the sum known here. */
  readonly amount: Kobo;
}

/** The order by seller, beside the form or below it. */
export function OrderSummary({ basket, amount }: OrderSummaryProps) {
  return (
    <aside className="panel sum" aria-label="Your order">
      <h2>Your order</h2>
      {bySeller(basket.items).map(({ sellerId, businessName, items }) => (
        <section key={sellerId} aria-label={businessName}>
          <h3 className="from">
            <SellerSwatch sellerId={sellerId} />
            {businessName}
          </h3>
          <OrderGoods goods={items} />
        </section>
      ))}
      <dl>
        {amount === basket.amount && (
          <>
            <Row name="Products" amount={basket.products} />
            <Row name="Delivery fee" amount={basket.fee} />
          </>
        )}
        <div className="kv t">
          <dt>Total</dt>
          <Price as="dd" size="mid" amount={koboToNaira(amount)} />
        </div>
      </dl>
    </aside>
  );
}

function Row({ name, amount }: { readonly name: string; readonly amount: Kobo }) {
  return (
    <div className="kv">
      <dt className="muted">{name}</dt>
      <dd>
        <Naira amount={koboToNaira(amount)} />
      </dd>
    </div>
  );
}
