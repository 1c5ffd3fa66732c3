import { deliveryFee, nairaToKobo } from '@oja/domain/rules';
import { MapPin, Truck } from 'lucide-react';
import type { Product } from '../../api/types.js';
import { useDeliveryFee } from '../../stores/cart.js';
import { Icon } from '../../ui/Icon.js';

/** What delivery costs when this is all that is ordered, and where it comes from. */
export function Facts({ product }: { readonly product: Product }) {
  const current = useDeliveryFee();
  const free = deliveryFee(nairaToKobo(product.price), nairaToKobo(current)) === 0;
  return (
    <dl className="facts">
      <div>
        <Icon of={Truck} />
        <dt>Delivery</dt>
        <dd>{free ? 'No fee, delivered in 24 hours' : 'Delivery fee of ₦800.00'}</dd>
      </div>
      <div>
        <Icon of={MapPin} />
        <dt>Sold from</dt>
        <dd>
          {product.local_govt}, {product.state}
        </dd>
      </div>
    </dl>
  );
}
