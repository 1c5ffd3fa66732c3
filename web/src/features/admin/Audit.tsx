import { pagePath, pagePaths } from '@oja/contracts/pages';
import { orderNumber } from '@oja/domain/rules';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { useQueryParams } from '../../app/address.js';
import { Screen } from '../../app/Screen.js';
import * as fieldStyles from '../../ui/Field.module.css';
import { Link } from '../../ui/Link.js';
import * as layout from '../../ui/layout.module.css';
import { NextPageButton } from '../../ui/MoreButton.js';
import * as panelStyles from '../../ui/Panel.module.css';
import { Naira } from '../../ui/Price.js';
import { Skeleton } from '../../ui/Skeleton.js';
import { EmptyState, LoadFailed } from '../../ui/States.js';
import { Timeline } from '../../ui/Timeline.js';
import * as toolbarStyles from '../../ui/Toolbar.module.css';
import { type Names, toTimelineStep } from '../history/History.js';
import { type AuditEntry, auditQuery, useNames, useStores } from './api.js';
import { ViewSwitch } from './UserCards.js';

/** Operators also record and end payouts, so the title names them too. */
const TITLE = 'What admins and operators did';

const kinds: Readonly<Record<AuditEntry['act'], string>> = {
  suspension: 'Suspensions',
  admin: 'Changes of admins',
  dispute: 'Orders settled',
  payout: 'Payouts recorded or ended',
  record: 'Records removed',
};

const isKind = (text: string): text is AuditEntry['act'] => Object.hasOwn(kinds, text);

/** The audit list, newest first: who suspended, made an admin, settled, paid or removed whom or what. */
export default function Audit() {
  const [params, go] = useQueryParams();
  const param = params.get('act') ?? '';
  const kind = isKind(param) ? param : undefined;
  const audit = useInfiniteQuery(auditQuery(kind));
  const names = useNames();
  const stores = useStores();
  const acts = audit.data?.pages.flatMap(({ result }) => result);
  const choose = (act: string) =>
    go(act === '' ? { view: 'audit' } : { view: 'audit', act }, { replace: true });
  return (
    <Screen title={TITLE}>
      <div className={layout.sectionHead}>
        <h1>{TITLE}</h1>
        <ViewSwitch of="admins" second />
      </div>
      <div className={toolbarStyles.toolbar}>
        <select
          className={fieldStyles.control}
          aria-label="Kind of action"
          value={kind ?? ''}
          onChange={({ target }) => void choose(target.value)}
        >
          <option value="">All actions</option>
          {Object.entries(kinds).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      {acts === undefined && !audit.isError && <Skeleton height={480} />}
      {acts === undefined && audit.isError && <LoadFailed onRetry={() => void audit.refetch()} />}
      {acts?.length === 0 && (
        <EmptyState
          motif="comb"
          icon={ScrollText}
          paper
          title="No such action yet"
          line="Suspensions, changes of admins, settled orders, payouts recorded or ended, and removed records appear here."
        />
      )}
      {acts !== undefined && acts.length > 0 && (
        <div className={panelStyles.panel}>
          <Timeline
            label={TITLE}
            steps={acts.map((act) => ({
              ...toTimelineStep(act, names),
              title: <Title act={act} stores={stores} />,
            }))}
          />
        </div>
      )}
      <NextPageButton list={audit}>Older</NextPageButton>
    </Screen>
  );
}

/** 'Musa & Sons: Suspended', 'Order 5F0C7A52, Musa & Sons, ₦14,000: Recorded as paid', with a link to the subject. */
function Title({ act, stores }: { readonly act: AuditEntry; readonly stores: Names }) {
  const { about, subject, seller, amount, text } = act;
  return (
    <>
      {about === 'transaction' ? (
        <Link className={layout.link} to={pagePath('transaction', { transactionId: subject })}>
          Order {orderNumber(subject)}
        </Link>
      ) : (
        <Link
          className={layout.link}
          to={
            act.type.startsWith('HeadAdmin')
              ? pagePaths.admins
              : `${pagePaths.sellers}?find=${encodeURIComponent(subject)}`
          }
        >
          <bdi>{stores[subject] ?? 'A seller'}</bdi>
        </Link>
      )}
      {seller !== null && (
        <>
          {', '}
          <bdi>{stores[seller] ?? 'a seller'}</bdi>
        </>
      )}
      {amount !== null && (
        <>
          {', '}
          <Naira amount={amount} />
        </>
      )}
      {`: ${text}`}
    </>
  );
}
