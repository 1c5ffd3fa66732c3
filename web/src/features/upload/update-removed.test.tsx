import { pagePaths } from '@oja/contracts/pages';
import { fireEvent, screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { expectErrors } from '../../../test/console.js';
import { renderAt } from '../../../test/render.js';
import { press, setUpUpdates, updateAddress } from '../../../test/uploading.js';
import Update from './UpdateProductPage.js';

const { server, toastTexts } = setUpUpdates();

it('an update says that its product is gone, where another device has removed it', async () => {
  expectErrors(/This product is not there, or is not yours/);
  renderAt(updateAddress, [{ path: pagePaths.updateProduct, element: <Update /> }]);
  fireEvent.click(await screen.findByRole('checkbox', { name: /^Product name/ }));
  const message = 'This product is not there, or is not yours';
  const gone = () => HttpResponse.json({ success: false, message }, { status: 404 });
  server.use(http.put('*/v1/product/update/p1', gone), http.get('*/v1/product/p1', gone));
  press('update Product');
  expect(await screen.findByText('This is not one of your products')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'update Product' })).toBeNull();
  expect(toastTexts).toEqual([`${message}: something went wrong! Try again.`]);
});
