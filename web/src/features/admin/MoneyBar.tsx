import { nairaToKobo } from '@oja/domain/rules';
import { Check, TriangleAlert } from 'lucide-react';
import type { Answer } from '../../api/types.js';
import { Badge } from '../../ui/Badge.js';
import { Naira, Price } from '../../ui/Price.js';

type Money = Answer<'adminOverview'>['money'];

/** The colour of each account, by the name the server gives it. */
const tones: Readonly<Record<string, string>> = {
  Held: 'held',
  Payable: 'payable',
  'Paid out': 'paid',
  House: 'house',
  'Refunds due': 'refunds',
};
const toneOf = (name: string) => `tone-${tones[name] ?? 'aside'}`;

/** To the kobo: what came in is what all accounts hold together. */
export function addsUp({ cash, accounts, balanced }: Money): boolean {
  const sum = accounts.reduce((total, { amount }) => total + nairaToKobo(amount), 0);
  return balanced && sum === nairaToKobo(cash);
}

/** What buyers paid and did not get back, and whose it is now. */
export function MoneyBar({ money }: { readonly money: Money }) {
  const { cash, accounts } = money;
  const filled = accounts.filter(({ amount }) => amount > 0);
  const words = filled.map(({ name, amount }) => `${amount.toLocaleString('en-NG')} ${name}`);
  return (
    <section className="sec">
      <div className="hd">
        <h2>Where the money is</h2>
        {addsUp(money) ? (
          <Badge tone="safe" icon={Check}>
            Adds up
          </Badge>
        ) : (
          <Badge tone="bad" icon={TriangleAlert}>
            Does not add up
          </Badge>
        )}
      </div>
      <div className="panel ledger">
        <div
          className="lbar"
          role="img"
          aria-label={`Of ${cash.toLocaleString('en-NG')} naira collected: ${words.join(', ')}`}
        >
          {filled.map(({ name, amount }) => (
            <i key={name} className={toneOf(name)} style={{ flexGrow: amount }} />
          ))}
        </div>
        <dl>
          <div>
            <dt>Collected</dt>
            <Price as="dd" size="mid" amount={cash} />
          </div>
          {accounts.map(({ name, amount }) => (
            <div key={name}>
              <dt>
                <i className={toneOf(name)} />
                {name}
              </dt>
              <dd className="price">
                <Naira amount={amount} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}
