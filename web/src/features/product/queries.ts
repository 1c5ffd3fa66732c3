import { productQuery } from '../../api/product.js';
import { productsQuery } from '../../api/products.js';
import type { Product } from '../../api/types.js';
import type { FillPage } from '../../app/rendered/fill.js';

/** Full rows of two, three, four or five: ten where two or five stand side by side, else twelve. */
export const SIMILAR = 12;

/** Products of the same subcategory: one more than is shown, since the product itself is among them. */
export const similarQuery = ({ subcategory_name: subcategory }: Product) =>
  productsQuery({ subcategory, sort: 'trending', limit: SIMILAR + 1 });

/** An address with another subcategory than the product's leads on to the right one. */
export const fillProduct: FillPage = async (client, { params }) => {
  const product = await client.fetchQuery(productQuery(params.product_id ?? ''));
  if (String(product.subcategory_id) !== params.subcategory_id) return false;
  await client.fetchQuery(similarQuery(product));
  return true;
};
