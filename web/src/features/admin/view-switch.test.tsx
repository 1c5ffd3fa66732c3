import { pagePaths } from '@oja/contracts/pages';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { asHead, openAdmin } from '../../../test/admin.js';
import { renderAt } from '../../../test/render.js';
import Sellers from './SellersPage.js';

openAdmin();

// In a file of its own, as nothing may have moved the focus before.
it('leads to the other view of a page that was opened directly, and the focus to its heading', async () => {
  asHead();
  renderAt('/admin-dashboard/sellers', [{ path: pagePaths.sellers, element: <Sellers /> }]);
  await screen.findByText('Musa Garba');
  const link = screen.getByRole('link', { name: 'Buyers' });
  link.focus();
  fireEvent.click(link);
  await screen.findByRole('button', { name: 'refresh table' });
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1, name: 'Buyers' })),
  );
});
