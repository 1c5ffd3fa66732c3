import { pagePaths } from '@oja/contracts/pages';
import { Link } from 'react-router-dom';
import { useAddress } from '../../app/address.js';
import { Screen } from '../../app/Screen.js';
import * as layout from '../../ui/layout.module.css';
import * as toolbarStyles from '../../ui/Toolbar.module.css';
import { Payouts } from './Payouts.js';
import { Sold } from './Sold.js';

const views = [
  { view: null, label: 'Sold', to: pagePaths.sales },
  { view: 'payouts', label: 'Payouts', to: `${pagePaths.sales}?view=payouts` },
] as const;

/** What the seller sold, by the day and by product, and what was paid out of it. */
export default function SalesPage() {
  const [params] = useAddress();
  const isOfPayouts = params.get('view') === 'payouts';
  return (
    <Screen title={isOfPayouts ? 'Payouts' : 'Sales'}>
      <div className={layout.sectionHead}>
        <h1>{isOfPayouts ? 'Payouts' : 'Sales'}</h1>
        <nav className={toolbarStyles.segments} aria-label="View">
          {views.map(({ view, label, to }) => (
            <Link
              key={to}
              to={to}
              aria-current={(view === 'payouts') === isOfPayouts ? 'page' : undefined}
            >
              {label}
            </Link>
          ))}
        </nav>
      </div>
      {isOfPayouts ? <Payouts /> : <Sold />}
    </Screen>
  );
}
