import { screen } from '@testing-library/react';
import { Outlet } from 'react-router-dom';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { expectErrors } from '../../test/console.js';
import { renderAt } from '../../test/render.js';
import { BrokenPage } from './UnexpectedError.js';

beforeEach(() => {
  expectErrors(/not a function|dynamically imported|preload/);
  vi.spyOn(location, 'reload').mockImplementation(() => {});
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const gone = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module: /a'));
const unstyled = () => Promise.reject(new Error('Unable to preload CSS for /assets/a.css'));
const onTheWay = { hydrateFallbackElement: <p /> };
const broken = () => Promise.reject(new TypeError('nothing is not a function'));

it.each([
  ['that cannot be fetched without a network', gone, false, 'You are offline'],
  ['that cannot be fetched with one', gone, true, 'That did not load'],
  ['whose styles cannot be fetched', unstyled, true, 'That did not load'],
  ['that breaks without a network', broken, false, 'Unexpected Application Error!'],
])('a page %s says so', async (_, lazy, onLine, words) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(onLine);
  renderAt('/page', [{ path: '/page', lazy, errorElement: <BrokenPage />, ...onTheWay }]);
  expect(await screen.findByRole('heading', { name: words, level: 1 })).toBeTruthy();
});

it('leaves the frame around it standing, and comes by itself once the network is back', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const frame = (
    <>
      <nav>the tab bar</nav>
      <Outlet />
    </>
  );
  const page = { path: '/page', lazy: gone, ...onTheWay };
  renderAt('/page', [
    {
      element: frame,
      children: [{ errorElement: <BrokenPage inLayout />, children: [page] }],
    },
  ]);
  await screen.findByRole('heading', { name: 'You are offline', level: 1 });
  expect(screen.getByText('the tab bar')).toBeTruthy();
  expect(screen.queryByRole('banner')).toBeNull();
  expect(location.reload).not.toHaveBeenCalled();
  dispatchEvent(new Event('online'));
  expect(location.reload).toHaveBeenCalledOnce();
});
