import { pagePath, pagePaths } from '@oja/contracts/pages';
import { type SalesPeriod, salesPeriods } from '@oja/domain/rules';
import { accountEnd } from '@oja/domain/rules/user-input';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Landmark, PackageOpen } from 'lucide-react';
import { payoutAccountQuery, useNeedsBankAccount } from '../../api/profile.js';
import type { Answer, Payout, SoldInPeriod } from '../../api/types.js';
import { useQueryParams } from '../../app/address.js';
import { Screen } from '../../app/Screen.js';
import { useIsSuspended } from '../../stores/session.js';
import { StatusBadge } from '../../ui/Badge.js';
import { BarChart } from '../../ui/BarChart.js';
import { ButtonLink } from '../../ui/Button.js';
import { CsvButton, orderText } from '../../ui/CsvButton.js';
import * as fieldStyles from '../../ui/Field.module.css';
import { Icon } from '../../ui/Icon.js';
import { Link } from '../../ui/Link.js';
import * as layout from '../../ui/layout.module.css';
import { NextPageButton } from '../../ui/MoreButton.js';
import * as panelStyles from '../../ui/Panel.module.css';
import { formatAmount, Naira } from '../../ui/Price.js';
import { Skeleton } from '../../ui/Skeleton.js';
import { EmptyState, LoadFailed } from '../../ui/States.js';
import * as toolbarStyles from '../../ui/Toolbar.module.css';
import { lagosTime } from '../history/times.js';
import { explainPayout, formatPieces, payoutBadges } from './labels.js';
import { fetchAllPayouts, payoutsQuery, salesQuery } from './queries.js';
import * as styles from './SalesPage.module.css';

const periodWords: Readonly<Record<SalesPeriod, string>> = {
  '7-days': 'Last 7 days',
  '30-days': 'Last 30 days',
  '90-days': 'Last 90 days',
  '12-months': 'Last 12 months',
};

/** The period, kept in the address. */
function usePeriodParam() {
  const [params, go] = useQueryParams();
  const param = params.get('period');
  const period = salesPeriods.find((known) => known === param) ?? '30-days';
  return [
    period,
    (next: string) => go({ period: next }, { replace: true, preventScrollReset: true }),
  ] as const;
}

/** What the seller sold, by day and by product. The choice of a period stays where one does not load. */
function SalesView() {
  const [period, setPeriod] = usePeriodParam();
  return (
    <>
      <select
        className={`${fieldStyles.control} ${styles.period}`}
        aria-label="Period"
        value={period}
        onChange={(event) => void setPeriod(event.target.value)}
      >
        {salesPeriods.map((one) => (
          <option key={one} value={one}>
            {periodWords[one]}
          </option>
        ))}
      </select>
      <SalesOfPeriod period={period} />
    </>
  );
}

function SalesOfPeriod({ period }: { readonly period: SalesPeriod }) {
  const { data, isError, refetch, isPlaceholderData } = useQuery(salesQuery(period));
  if (data === undefined) {
    if (!isError) return <Skeleton height={320} />;
    return <LoadFailed onRetry={() => void refetch()} />;
  }
  if (data.orders === 0)
    return (
      <EmptyState
        motif="steps"
        icon={PackageOpen}
        title="Nothing sold in this period"
        line="A sale counts on the day on which the buyer pays."
      />
    );
  return (
    <div className={layout.twoColumns} aria-busy={isPlaceholderData || undefined}>
      <ByDay sold={data} />
      <ByProduct products={data.products} />
    </div>
  );
}

/** The server sends Lagos dates without a time, which parse as UTC midnight. */
const dayText = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const monthText = new Intl.DateTimeFormat('en-GB', {
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const formatOrders = (count: number) => `${count} ${count === 1 ? 'order' : 'orders'}`;

function ByDay({ sold: { steps, sum, orders } }: { readonly sold: SoldInPeriod }) {
  // Derived from the shown data, not from the chosen period: while another period loads, the previous one is
  // still shown.
  const byMonth = steps.every(({ from }) => from.endsWith('-01'));
  const nameOf = (from: string) => (byMonth ? monthText : dayText).format(new Date(from));
  const bestStep = steps.reduce((one, other) => (other.sum > one.sum ? other : one));
  const unit = byMonth ? 'month' : 'day';
  return (
    <section className={panelStyles.panel} aria-label={`By ${unit}`}>
      <h2 className={`${layout.heading} ${layout.atTop}`}>Sold</h2>
      <p className={styles.sold}>
        <b>
          <Naira amount={sum} />
        </b>{' '}
        <span className={layout.muted}>in {formatOrders(orders)}</span>
      </p>
      <BarChart
        bars={steps.map(({ from, sum, orders }) => ({
          key: from,
          value: sum,
          tip: `${nameOf(from)}: ${formatAmount(sum)}, ${formatOrders(orders)}`,
        }))}
        label={`Sold by ${unit}: ${formatAmount(sum)} in ${formatOrders(orders)}. The best ${unit} was ${nameOf(bestStep.from)} with ${formatAmount(bestStep.sum)}.`}
        highest={formatAmount(bestStep.sum)}
        ends={[nameOf(steps[0]?.from ?? ''), nameOf(steps.at(-1)?.from ?? '')]}
      />
      <p className={`${layout.small} ${layout.muted} ${styles.how}`}>
        What you get of each order, on the day in Lagos on which it was paid. What went back to a
        buyer is not counted.
      </p>
      <details className={styles.byStep}>
        <summary className={`${layout.link} ${styles.summary}`}>The figures as a table</summary>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{byMonth ? 'Month' : 'Day'}</th>
              <th scope="col">Orders</th>
              <th scope="col">You get</th>
            </tr>
          </thead>
          <tbody>
            {steps
              .filter((step) => step.orders > 0)
              .map((step) => (
                <tr key={step.from}>
                  <th scope="row">{nameOf(step.from)}</th>
                  <td>{step.orders}</td>
                  <td>
                    <Naira amount={step.sum} />
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
        <p className={`${layout.small} ${layout.muted}`}>
          Nothing was sold {byMonth ? 'in' : 'on'} any other {unit}.
        </p>
      </details>
    </section>
  );
}

function ByProduct({ products }: Pick<SoldInPeriod, 'products'>) {
  return (
    <section className={panelStyles.panel} aria-label="Best-selling products">
      <h2 className={`${layout.heading} ${layout.atTop}`}>Best-selling</h2>
      <ol className={styles.products}>
        {products.map((product) => (
          <li key={product.product_id}>
            <span>
              {product.prod_name}
              <span className={`${layout.small} ${layout.muted}`}>
                {formatPieces(product.pieces)}
              </span>
            </span>
            <b>
              <Naira amount={product.sum} />
            </b>
          </li>
        ))}
      </ol>
    </section>
  );
}

const views = [
  { view: null, label: 'Sold', to: pagePaths.sales },
  { view: 'payouts', label: 'Payouts', to: `${pagePaths.sales}?view=payouts` },
] as const;

/** What the seller sold, by day and by product, and the payouts. */
export default function SalesPage() {
  const [params] = useQueryParams();
  const showsPayouts = params.get('view') === 'payouts';
  return (
    <Screen title={showsPayouts ? 'Payouts' : 'Sales'}>
      <div className={layout.sectionHead}>
        <h1>{showsPayouts ? 'Payouts' : 'Sales'}</h1>
        <nav className={toolbarStyles.segments} aria-label="View">
          {views.map(({ view, label, to }) => (
            <Link
              key={to}
              to={to}
              aria-current={(view === 'payouts') === showsPayouts ? 'page' : undefined}
            >
              {label}
            </Link>
          ))}
        </nav>
      </div>
      {showsPayouts ? <Payouts /> : <SalesView />}
    </Screen>
  );
}

/** The seller's payouts, and the orders they belong to. */
function Payouts() {
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
      <NextPageButton list={payouts}>Older payouts</NextPageButton>
    </>
  );
}

const paidOutSpans = [
  ['month', 'Paid out this month'],
  ['year', 'This year'],
  ['all', 'In all'],
] as const;

const csvHead = [
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
export const toPayoutRows = (payouts: readonly Payout[]): (string | number)[][] =>
  payouts.map((payout) => [
    orderText(payout.number),
    lagosTime(payout.requested_at),
    payout.ended_at === null ? '' : lagosTime(payout.ended_at),
    payoutBadges[payout.status].label,
    explainPayout(payout),
    payout.account === null ? '' : `${payout.account.bank_name}, ${accountEndText(payout.account)}`,
    payout.amount,
    payout.status === 'sent' ? payout.amount : 0,
  ]);

function Sums({ paidOut }: { readonly paidOut: Answer<'userPayouts'>['paid_out'] }) {
  const { data: account } = useQuery(payoutAccountQuery);
  const suspended = useIsSuspended();
  const needsBankAccount = useNeedsBankAccount();
  return (
    <section className={`${panelStyles.panel} ${styles.sums}`} aria-label="Paid out">
      <dl className={styles.figures}>
        {paidOutSpans.map(([span, label]) => (
          <div key={span}>
            <dt>{label}</dt>
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
            needsBankAccount && <AddBankDetails />
          )}
        </p>
        <CsvButton
          file="payouts.csv"
          head={csvHead}
          read={async () => toPayoutRows(await fetchAllPayouts())}
        />
      </div>
    </section>
  );
}

/** With words in front, so that a spreadsheet keeps leading zeros. */
const accountEndText = ({ ends_in }: NonNullable<Payout['account']>) => `ends in ${ends_in}`;

const AddBankDetails = () => (
  <ButtonLink look="tint" size="s" to={pagePaths.profile}>
    <Icon of={Landmark} size="s" />
    Add bank details
  </ButtonLink>
);

const methods = { transfer: 'Bank transfer', manual: 'Paid by hand' } as const;

function PayoutRow({ payout }: { readonly payout: Payout }) {
  const why = explainPayout(payout);
  const at = payout.ended_at ?? payout.requested_at;
  return (
    <li className={styles.payout}>
      <div className={`${layout.row} ${layout.wrap}`}>
        <b className={styles.amount}>
          <Naira amount={payout.amount} />
        </b>
        <StatusBadge of={payoutBadges[payout.status]} />
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
          <span className={layout.figures}>{accountEndText(payout.account)}</span>
        </p>
      )}
      {why !== '' && <p className={layout.small}>{why}</p>}
    </li>
  );
}

function NoPayouts() {
  const needsBankAccount = useNeedsBankAccount();
  return (
    <EmptyState
      motif="comb"
      icon={Landmark}
      title="No payouts yet"
      line="When a buyer confirms a delivery, your money is released and paid out to your bank."
      action={needsBankAccount ? <AddBankDetails /> : undefined}
    />
  );
}
