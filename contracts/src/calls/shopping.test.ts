import { expect, it } from 'vitest';
import { searchProducts } from './shopping.js';

it('a price that is empty or no number is as good as absent: the page shows all goods', () => {
  for (const text of ['', ' ', 'lots', '-1', '0.5']) {
    const { min_price, max_price } = searchProducts.query.parse({
      min_price: text,
      max_price: text,
    });
    expect([min_price, max_price]).toEqual([undefined, undefined]);
  }
  expect(searchProducts.query.parse({})).not.toHaveProperty('max_price');
  expect(searchProducts.query.parse({ min_price: '0', max_price: '5000' })).toMatchObject({
    min_price: 0,
    max_price: 5_000,
  });
});
