import { CreditCard, PackageCheck, ShoppingBasket, Truck } from 'lucide-react';
import { useId } from 'react';
import { Icon } from '../../ui/Icon.js';
import { Naira } from '../../ui/Price.js';

/** Under the pictures on wide screens: where the shopper's money is at each step. */
export function MoneySteps({ price }: { readonly price: number }) {
  const id = useId();
  const amount = (
    <span className="num">
      <Naira amount={price} />
    </span>
  );
  const steps = [
    { icon: ShoppingBasket, name: 'Order', line: 'Press Single order.' },
    { icon: CreditCard, name: 'Pay', line: <>{amount} by card. Oja holds it.</> },
    { icon: Truck, name: 'Deliver', line: 'To the address you give.' },
    { icon: PackageCheck, name: 'Confirm', line: 'You say Yes, then the seller is paid.' },
  ];
  return (
    <section className="next panel only-l" aria-labelledby={id}>
      <h2 className="h3" id={id}>
        What happens to your money
      </h2>
      <ol>
        {steps.map(({ icon, name, line }) => (
          <li key={name}>
            <span className="sign">
              <Icon of={icon} />
            </span>
            <b>{name}</b>
            <p>{line}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
