import { pagePath, pagePaths } from '@oja/contracts/pages';
import { accountEnd } from '@oja/domain/rules/typed';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Landmark } from 'lucide-react';
import { Link } from 'react-router-dom';
import { payoutAccountQuery, useBankWanted } from '../../api/profile.js';
import type { Answer, Payout } from '../../api/types.js';
import { useIsSuspended } from '../../stores/session.js';
import { Badge } from '../../ui/Badge.js';
import { ButtonLink } from '../../ui/Button.js';
import { CsvButton, orderText } from '../../ui/CsvButton.js';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import { MoreButton } from '../../ui/MoreButton.js';
import * as panelStyles from '../../ui/Panel.module.css';
import { Naira } from '../../ui/Price.js';
import { Skeleton } from '../../ui/Skeleton.js';
import { EmptyState, LoadFailed } from '../../ui/States.js';
import { lagosTime } from '../history/times.js';
import { allPayouts, payoutsQuery } from './queries.js';
import * as styles from './SalesPage.module.css';
import { payoutSigns, payoutWhy } from './words.js';

/** The seller's payouts, and the orders they belong to. */
export function Payouts() {
  const payouts = useInfiniteQuery(payoutsQuery);
  const [newest] = payouts.data?.pages ?? [];
  if (newest === undefined) {
    if (!payouts.isError) return <Skeleton height={260} />;
    return <LoadFailed onRetry={() => void payouts.refetch()} />;
  }
  if (newest.result.length === 0) return <NoPayouts />;
  return (
    <>
      <Sums paidOut={newest.paid_out} />
      <ul className={styles.payouts} aria-label="Payouts">
        {payouts.data?.pages
          .flatMap(({ result }) => result)
          .map((payout) => (
            <PayoutRow key={payout.payout_id} payout={payout} />
          ))}
      </ul>
      {payouts.hasNextPage && (
        <MoreButton busy={payouts.isFetchingNextPage} onClick={() => void payouts.fetchNextPage()}>
          Older payouts
        </MoreButton>
      )}
    </>
  );
}

const whole = [
  ['month', 'Paid out this month'],
  ['year', 'This year'],
  ['all', 'In all'],
] as const;

const head = [
  'Order',
  'Begun (Lagos time)',
  'Ended (Lagos time)',
  'State',
  'Why',
  'To',
  'Sum',
  'Sent',
];

/** The sent amount has a column of its own, so that it adds up to the total paid out. */
export const payoutRows = (payouts: readonly Payout[]): (string | number)[][] =>
  payouts.map((payout) => [
    orderText(payout.number),
    lagosTime(payout.requested_at),
    payout.ended_at === null ? '' : lagosTime(payout.ended_at),
    payoutSigns[payout.status].words,
    payoutWhy(payout),
    payout.account === null ? '' : `${payout.account.bank_name}, ${endsIn(payout.account)}`,
    payout.amount,
    payout.status === 'sent' ? payout.amount : 0,
  ]);

function Sums({ paidOut }: { readonly paidOut: Answer<'userPayouts'>['paid_out'] }) {
  const { data: account } = useQuery(payoutAccountQuery);
  const suspended = useIsSuspended();
  const bankWanted = useBankWanted();
  return (
    <section className={`${panelStyles.panel} ${styles.sums}`} aria-label="Paid out">
      <dl className={styles.figures}>
        {whole.map(([span, words]) => (
          <div key={span}>
            <dt>{words}</dt>
            <dd>
              <Naira amount={paidOut[span]} />
            </dd>
          </div>
        ))}
      </dl>
      <div className={`${layout.row} ${layout.wrap} ${layout.spaceBetween}`}>
        <p className={`${layout.small} ${layout.muted}`}>
          {account ? (
            <>
              Now paid to your account that ends in{' '}
              <span className={layout.figures}>{accountEnd(account.account_number)}</span>.{' '}
              {!suspended && (
                <Link className={layout.link} to={pagePaths.profile}>
                  Change
                </Link>
              )}
            </>
          ) : (
            bankWanted && <BankWanted />
          )}
        </p>
        <CsvButton
          file="payouts.csv"
          head={head}
          read={async () => payoutRows(await allPayouts())}
        />
      </div>
    </section>
  );
}

/** With words in front, so that a spreadsheet keeps leading zeros. */
const endsIn = ({ ends_in }: NonNullable<Payout['account']>) => `ends in ${ends_in}`;

const BankWanted = () => (
  <ButtonLink look="tint" size="s" to={pagePaths.profile}>
    <Icon of={Landmark} size="s" />
    Add bank details
  </ButtonLink>
);

const methods = { transfer: 'Bank transfer', manual: 'Paid by hand' } as const;

function PayoutRow({ payout }: { readonly payout: Payout }) {
  const { tone, icon, words } = payoutSigns[payout.status];
  const why = payoutWhy(payout);
  const at = payout.ended_at ?? payout.requested_at;
  return (
    <li className={styles.payout}>
      <div className={`${layout.row} ${layout.wrap}`}>
        <b className={styles.amount}>
          <Naira amount={payout.amount} />
        </b>
        <Badge tone={tone} icon={icon}>
          {words}
        </Badge>
      </div>
      <p className={`${layout.small} ${layout.muted}`}>
        {methods[payout.method]} for{' '}
        <Link
          className={`${layout.link} ${layout.mono}`}
          to={pagePath('order', { transactionId: payout.transaction_id })}
        >
          <span className={layout.visuallyHidden}>order </span>
          {payout.number}
        </Link>
        , <time dateTime={at}>{lagosTime(at)}</time> Lagos time
      </p>
      {payout.account !== null && (
        <p className={layout.small}>
          {payout.status === 'sent' ? 'Sent to' : 'To'} {payout.account.bank_name}, account that{' '}
          <span className={layout.figures}>{endsIn(payout.account)}</span>
        </p>
      )}
      {why !== '' && <p className={layout.small}>{why}</p>}
    </li>
  );
}

function NoPayouts() {
  const bankWanted = useBankWanted();
  return (
    <EmptyState
      motif="comb"
      icon={Landmark}
      title="No payouts yet"
      line="When a buyer confirms a delivery, your money is released and paid out to your bank."
      action={bankWanted ? <BankWanted /> : undefined}
    />
  );
}
