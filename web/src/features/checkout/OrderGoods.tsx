import type { ReactNode } from 'react';
import { Picture } from '../../ui/Picture.js';
import { Naira } from '../../ui/Price.js';

interface OrderGoodsProps {
  readonly goods: readonly {
    readonly product_id: string;
    readonly prod_name?: string;
    readonly image_url?: string;
    readonly quantity: number;
    /** In naira, of one. */
    readonly price?: number;
    /** Whose they are, where they do not stand under their seller. */
    readonly businessName?: string;
  }[];
  readonly named?: boolean;
}

/** Goods of an order, small: picture, name, how many at what price. */
export function OrderGoods({ goods, named = false }: OrderGoodsProps): ReactNode {
  return (
    <ul className="mini">
      {goods.map(({ product_id, prod_name, image_url, quantity, price, businessName }) => (
        <li key={product_id}>
          <Picture url={image_url === '' ? undefined : image_url} alt="" width={52} />
          <span className="grow">
            {prod_name ?? 'Product'}
            <small className="muted num">
              {quantity}
              {price !== undefined && (
                <>
                  {' × '}
                  <Naira amount={price} />
                </>
              )}
              {named && businessName !== undefined && ` from ${businessName}`}
            </small>
          </span>
        </li>
      ))}
    </ul>
  );
}
