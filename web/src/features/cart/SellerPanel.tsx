import { formatNaira } from '@oja/domain/rules';
import { MapPin } from 'lucide-react';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { Icon } from '../../ui/Icon.js';
import { storePath } from '../../ui/paths.js';
import { SellerSwatch } from '../../ui/SellerSwatch.js';
import { CartLine } from './CartLine.js';
import type { SellerGroup } from './totals.js';

interface SellerPanelProps {
  readonly group: SellerGroup;
  readonly before: ReadonlyMap<string, number>;
  /** The product of the single order. */
  readonly chosen: string | null;
}

/** What comes from one seller, and what it costs together. */
export function SellerPanel({ group, before, chosen }: SellerPanelProps) {
  const id = useId();
  const { sellerId, businessName, place, lines, subtotal } = group;
  return (
    <section className="panel cgroup" aria-labelledby={id}>
      <div className="seller">
        <SellerSwatch sellerId={sellerId} size={24} />
        <h2 id={id} className="nm">
          <Link to={storePath(businessName)}>{businessName}</Link>
        </h2>
        {place !== undefined && (
          <p className="place">
            <Icon of={MapPin} size="xs" />
            <span>{place}</span>
          </p>
        )}
      </div>
      <ul>
        {lines.map((item) => (
          <CartLine
            key={item.product_id}
            item={item}
            before={before.get(item.product_id)}
            chosen={item.product_id === chosen}
          />
        ))}
      </ul>
      <p className="kv small">
        <span className="muted">From this seller</span>
        <b className="num">{formatNaira(subtotal)}</b>
      </p>
    </section>
  );
}
