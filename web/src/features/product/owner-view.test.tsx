import { pagePaths } from '@oja/contracts/pages';
import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { setUpDashboard } from '../../../test/dashboard.js';
import { anOwnProduct } from '../../../test/products.js';
import { renderAt } from '../../../test/render.js';
import OwnerView from './OwnerView.js';

const { server } = setUpDashboard();

it('names all that can be said of such a product, also what its seller has not said', async () => {
  const product = anOwnProduct({ user_id: 's7', color: 'Olive', weight: '40 g' });
  server.use(
    http.get('*/v1/product/p1', () =>
      HttpResponse.json({ success: true, subcategoryID: 3, result: product }),
    ),
    http.get('*/v1/timeline/product/p1', () => HttpResponse.json({ success: true, result: [] })),
  );
  const { container } = renderAt('/single-product/3/p1', [
    { path: pagePaths.product, element: <OwnerView product={product} /> },
  ]);
  const table = await screen.findByRole('table', { name: "The product's details" });
  const rows = within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent).join(': '));
  expect(rows).toEqual([
    'Product name: Field watch, olive strap',
    'Price: ₦31,050',
    'Color: Olive',
    'Brand: Not given',
    'Gender: Not given',
    'Type: Not given',
    'Water resistant: Not given',
    'Weight: 40 g',
    'Condition: New',
    'Place: Apapa, Lagos',
    'Description: Keeps time.',
  ]);
  await expectAccessible(container);
});
