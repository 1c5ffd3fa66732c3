import { pagePath } from '@oja/contracts/pages';
import { nairaToKobo } from '@oja/domain/rules';
import { Check, Clock, PackageX, TriangleAlert } from 'lucide-react';
import type { Answer, Transaction } from '../../api/types.js';
import { BUYERS_PATH } from '../../app/layouts/AdminLayout.js';
import { Badge } from '../../ui/Badge.js';
import { ButtonLink } from '../../ui/Button.js';
import { Link } from '../../ui/Link.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import { Naira, Price } from '../../ui/Price.js';
import * as priceStyles from '../../ui/Price.module.css';
import { Complaints, formatPaidAge, NEEDS_PERSON, orRemoved } from './labels.js';
import * as styles from './Overview.module.css';

type Money = Answer<'adminOverview'>['money'];

/** Colours of the accounts, by the account name that the server sends. */
const tones: Readonly<Record<string, string | undefined>> = {
  Held: styles.held,
  Payable: styles.payable,
  'Paid out': styles.paidOut,
  House: styles.house,
  'Refunds due': styles.refunds,
};
const toneOf = (name: string) => tones[name] ?? styles.other;

/** Whether the ledger is balanced and its accounts add up to the collected cash, to the kobo. */
export function isLedgerBalanced({ cash, accounts, balanced }: Money): boolean {
  const sum = accounts.reduce((total, { amount }) => total + nairaToKobo(amount), 0);
  return balanced && sum === nairaToKobo(cash);
}

/** What buyers paid and did not get back, split by the account that holds it now. */
export function MoneyBar({ money }: { readonly money: Money }) {
  const { cash, accounts } = money;
  const filled = accounts.filter(({ amount }) => amount > 0);
  const words = filled.map(({ name, amount }) => `${amount.toLocaleString('en-NG')} ${name}`);
  return (
    <section className={layout.section}>
      <div className={layout.sectionHead}>
        <h2>Where the money is</h2>
        {isLedgerBalanced(money) ? (
          <Badge tone="safe" icon={Check}>
            Adds up
          </Badge>
        ) : (
          <Badge tone="bad" icon={TriangleAlert}>
            Does not add up
          </Badge>
        )}
      </div>
      <div className={`${panelStyles.panel} ${styles.ledger}`}>
        <div
          className={styles.bar}
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
              <dd className={priceStyles.price}>
                <Naira amount={amount} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}

type OverviewAnswer = Answer<'adminOverview'>;

/** The largest number of orders listed. */
const MAX_LISTED = 10;
/** All orders that need a person, in the filterable list, oldest payment first. */
const ALL_NEEDING_PERSON = `${BUYERS_PATH}&recieved=${NEEDS_PERSON}&sort=paid_at`;

/** The ten oldest orders that are disputed, or were paid long ago and never confirmed. */
export function OrdersNeedingPerson({ disputes, unconfirmed, waiting }: OverviewAnswer) {
  const paidAt = ({ paid_at, created_at }: Transaction) => paid_at ?? created_at;
  const oldest = [...disputes, ...unconfirmed]
    .sort((a, b) => (paidAt(a) < paidAt(b) ? -1 : 1))
    .slice(0, MAX_LISTED);
  const all = waiting.disputes + waiting.unconfirmed;
  return (
    <section className={layout.section}>
      <div className={layout.sectionHead}>
        <h2>Needs a person</h2>
        <Link className={layout.link} to={BUYERS_PATH}>
          All transactions
        </Link>
      </div>
      {all === 0 ? (
        <p className={`${panelStyles.panel} ${layout.muted}`}>
          Nothing. No buyer complains, and no delivery is overdue.
        </p>
      ) : (
        <>
          <p className={`${layout.muted} ${layout.figures} ${styles.waitingWords}`}>
            {waiting.disputes.toLocaleString('en-NG')} in dispute,{' '}
            {waiting.unconfirmed.toLocaleString('en-NG')} unconfirmed. The oldest first.
          </p>
          <ul className={`${panelStyles.panel} ${styles.waiting}`}>
            {oldest.map((order) => (
              <OrderNeedingPerson key={order.transaction_id} order={order} />
            ))}
          </ul>
          {all > oldest.length && (
            <p className={layout.moreBelow}>
              <ButtonLink look="line" to={ALL_NEEDING_PERSON}>
                All {all.toLocaleString('en-NG')} that need a person
              </ButtonLink>
            </p>
          )}
        </>
      )}
    </section>
  );
}

function OrderNeedingPerson({ order }: { readonly order: Transaction }) {
  const disputed = order.recieved === 'DISPUTED';
  const open = disputed ? 'disputed' : 'held';
  const shares = order.shares.filter(({ status }) => status === open);
  const sellers = shares.map(({ businessName }) => businessName).join(', ');
  return (
    <li>
      {disputed ? (
        <Badge tone="bad" icon={PackageX}>
          Disputed
        </Badge>
      ) : (
        <Badge tone="wait" icon={Clock}>
          Unconfirmed
        </Badge>
      )}
      <div className={layout.grow}>
        <p>
          <b>
            <bdi>{orRemoved(order.buyer_name)}</bdi>
          </b>
          {disputed ? ' reported a problem with ' : ', '}
          <bdi>{sellers}</bdi>.{' '}
          <span className={`${layout.muted} ${layout.figures}`}>
            <Naira amount={order.amount} />, {formatPaidAge(order.paid_at)}
          </span>
        </p>
        <Complaints transaction={order} />
      </div>
      <ButtonLink
        look="line"
        size="s"
        to={pagePath('transaction', { transactionId: order.transaction_id })}
        aria-label={`Open the order of ${orRemoved(order.buyer_name)}`}
      >
        Open
      </ButtonLink>
    </li>
  );
}
