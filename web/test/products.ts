import type { OwnProduct, Product } from '../src/api/types.js';

/** A product as the search returns it. */
export function aProduct(change: Partial<Product> = {}): Product {
  return {
    product_id: 'p1',
    user_id: 's1',
    prod_name: 'Field watch, olive strap',
    price: 31_050,
    prod_condition: 'New',
    description: 'Keeps time.',
    state: 'Lagos',
    local_govt: 'Apapa',
    subcategory_id: 3,
    subcategory_name: 'Watches',
    top_category: 'Fashion',
    image_urls: ['http://localhost/v1/image/watch.webp'],
    businessName: 'Musa & Sons Watches',
    status: 'AVAILABLE',
    is_suspended: 0,
    created_at: '2026-11-21T09:00:00.000Z',
    ...change,
  };
}

/** The same product as its own seller reads it. */
export function anOwnProduct(change: Partial<OwnProduct> = {}): OwnProduct {
  return { ...aProduct(), seller_price: 27_000, in_transaction: false, ...change };
}
