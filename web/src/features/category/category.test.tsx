import { pagePaths } from '@oja/contracts/pages';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { delay, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { market } from '../../../test/market.js';
import { aProduct } from '../../../test/products.js';
import { renderAt } from '../../../test/render.js';
import CategoryPage from './CategoryPage.js';
import SubcategoryPage from './SubcategoryPage.js';

const bag = { subcategory_name: 'Bags', subcategory_id: 1 };
const goods = [
  aProduct({ product_id: 'b1', prod_name: 'Leather bag', local_govt: 'Ikeja', ...bag }),
  aProduct({ product_id: 'b2', prod_name: 'Old bag', prod_condition: 'Used', ...bag }),
  aProduct({ product_id: 'w1', prod_name: 'Field watch' }),
];
const server = setupServer(...market(goods));
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => server.resetHandlers());
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const open = (address: string) =>
  renderAt(address, [
    { path: pagePaths.category, element: <CategoryPage /> },
    { path: pagePaths.subcategory, element: <SubcategoryPage /> },
  ]);
const names = () => screen.queryAllByRole('heading', { level: 3 }).map((one) => one.textContent);
const shows = (...expected: string[]) => waitFor(() => expect(names()).toEqual(expected));
const title = () => screen.getByRole('heading', { level: 1 }).textContent;

describe('a category', () => {
  it('shows its subcategories with their ads, whatever the case of its address', async () => {
    const { container } = open('/category/FASHION');
    expect(title()).toBe('Fashion');
    const cards = within(screen.getByRole('list', { name: 'Subcategories of Fashion' }));
    await waitFor(() =>
      expect(cards.getByRole('link', { name: /Bags/ }).textContent).toContain('2'),
    );
    expect(cards.getAllByRole('link')).toHaveLength(7);
    expect(cards.getByRole('link', { name: /Cloth Accessories/ }).getAttribute('href')).toBe(
      '/category/Fashion/Cloth-Accessories',
    );
    await expectAccessible(container);
  });

  it('announces how much it has in the chosen place', async () => {
    const { router } = open('/category/Fashion');
    const status = screen.getByRole('status');
    await waitFor(() => expect(status.textContent).toBe('3 products'));
    await act(() => router.navigate('/category/Fashion?localGovt=Ikeja'));
    await waitFor(() => expect(status.textContent).toBe('1 product'));
  });

  it('reads hyphens as spaces', () => {
    open('/category/beauty-and-skincare');
    expect(title()).toBe('Beauty and Skincare');
  });

  it.each(['/category/Food', '/category/Fashion/Laptop', '/category/Fashion/nothing'])(
    'says so when there is none: %s',
    async (address) => {
      const { container } = open(address);
      expect(title()).toBe('There is no such category');
      expect(screen.getAllByRole('link')).toHaveLength(4);
      await expectAccessible(container);
    },
  );
});

it.each([
  ['/category/Fashion', '/category/Electronics'],
  ['/category/Fashion/Bags', '/category/Fashion/Watches'],
])('after %s, %s shows nothing of it while its own goods are on their way', async (from, to) => {
  const { router } = open(from);
  await waitFor(() => expect(names()).toContain('Leather bag'));
  server.use(http.get('*/v1/products/search', () => delay('infinite')));
  await act(() => router.navigate(to));
  expect(names()).toEqual([]);
});

describe('a subcategory', () => {
  it('shows its goods in any condition, and links to those beside it', async () => {
    const { container } = open('/category/fashion/bags');
    await shows('Leather bag', 'Old bag');
    expect(title()).toBe('Bags');
    expect(screen.getByRole('link', { name: 'Bags 2 ads' }).getAttribute('aria-current')).toBe(
      'true',
    );
    expect(screen.getByRole('link', { name: 'Watches 1 ad' })).toBeTruthy();
    await expectAccessible(container);
  });

  it('narrows by local government, and starts afresh on entry', async () => {
    const { router } = open('/category/Fashion/Bags');
    await shows('Leather bag', 'Old bag');
    fireEvent.click(screen.getByRole('button', { name: 'Lagos' }));
    fireEvent.click(screen.getByRole('radio', { name: 'Ikeja' }));
    await shows('Leather bag');
    expect(router.state.location.search).toBe('?localGovt=Ikeja');
    await act(() => router.navigate('/category/Fashion/Watches'));
    await shows('Field watch');
    expect(router.state.location.search).toBe('');
  });

  it('says when there is nothing in the region, and offers all of them', async () => {
    open('/category/Fashion/Bags?localGovt=Nsukka');
    await screen.findByRole('heading', { name: 'Products are currently not in this region!!' });
    const button = screen.getByRole('button', { name: 'All States/Local Govt' });
    button.focus();
    fireEvent.click(button);
    await shows('Leather bag', 'Old bag');
    expect(document.activeElement?.textContent).toBe('Bags');
  });

  it('says nothing of the next region before it was read', async () => {
    open('/category/Fashion/Bags?localGovt=Nsukka');
    const nothing = 'Products are currently not in this region!!';
    await screen.findByRole('heading', { name: nothing });
    server.use(http.get('*/v1/products/search', () => delay('infinite')));
    fireEvent.click(screen.getByRole('button', { name: 'Lagos' }));
    fireEvent.click(screen.getByRole('radio', { name: 'Ikeja' }));
    await waitFor(() => expect(screen.queryByRole('heading', { name: nothing })).toBeNull());
    expect(screen.queryByText('products found')).toBeNull();
  });

  it('offers to remove the filters where others than a place leave nothing', async () => {
    const { container, router } = open('/category/Fashion/Bags?min_price=90000');
    await screen.findByRole('heading', { name: 'Products are currently not in this region!!' });
    screen.getByText('Your filters may hide some.');
    await expectAccessible(container);
    const button = screen.getByRole('button', { name: 'Remove all filters' });
    button.focus();
    fireEvent.click(button);
    await shows('Leather bag', 'Old bag');
    expect(document.activeElement?.textContent).toBe('Bags');
    expect(router.state.location.search).toBe('');
  });
});
