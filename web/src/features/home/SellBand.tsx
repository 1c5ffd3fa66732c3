import { Link } from 'react-router-dom';
import type { UserDetails } from '../../api/types.js';
import { useUser } from '../../stores/session.js';
import { Cloth } from '../../ui/Cloth.js';

/** Admins go to their dashboard, sellers to upload, everybody else to sign up. */
export function sellPath(user: UserDetails | null): string {
  if (user === null) return '/register';
  return user.is_admin === 1 ? '/admin-dashboard' : '/upload-product';
}

/** The large SELL circle on the quilt. */
export function SellBand() {
  const user = useUser();
  return (
    <Cloth as="section" className="sellband">
      <div>
        <h2>Open a free store</h2>
        <p>
          List your goods in minutes. Buyers pay up front, Oja holds the money, and you are paid the
          day they confirm delivery.
        </p>
      </div>
      <Link className="sell" to={sellPath(user)}>
        <Cloth as="span" motif="moon" />
        <b>SELL</b>
      </Link>
    </Cloth>
  );
}
