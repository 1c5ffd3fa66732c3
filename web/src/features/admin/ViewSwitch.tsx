import { Link } from 'react-router-dom';

/** Sellers and Buyers: two views of one page. */
export function ViewSwitch({ buyers }: { readonly buyers: boolean }) {
  return (
    <nav className="seg" aria-label="View">
      <Link to="/admin-dashboard/sellers" aria-current={!buyers || undefined}>
        Sellers
      </Link>
      <Link to="/admin-dashboard/sellers?view=buyers" aria-current={buyers || undefined}>
        Buyers
      </Link>
    </nav>
  );
}
