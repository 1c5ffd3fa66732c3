import { ChevronRight, MapPin } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { Product } from '../../api/types.js';
import { Icon } from '../../ui/Icon.js';
import { storePath } from '../../ui/paths.js';
import { SellerSwatch } from '../../ui/SellerSwatch.js';

/** Whose it is, and the way to their store. */
export function SellerRow({ product }: { readonly product: Product }) {
  return (
    <Link className="sellerrow" to={storePath(product.businessName)}>
      <SellerSwatch sellerId={product.user_id} size={44} />
      <span className="grow">
        <b>{product.businessName}</b>
        <span className="place">
          <Icon of={MapPin} size="xs" />
          {product.local_govt}, {product.state}
        </span>
      </span>
      <Icon of={ChevronRight} />
    </Link>
  );
}
