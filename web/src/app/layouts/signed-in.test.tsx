import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { expectErrors } from '../../../test/console.js';
import { renderAt } from '../../../test/render.js';
import { aSeller } from '../../../test/sellers.js';
import { restoreSession, signIn, signOut } from '../../stores/session.js';
import { SignedIn } from './DashboardFrame.js';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => {
  server.resetHandlers();
  vi.restoreAllMocks();
  signOut();
});
afterAll(() => server.close());

it.each([
  ['without a network', false, 'You are offline', 'Work here needs the network.'],
  ['where the market does not answer', true, 'That did not load', 'the road is bad'],
])(
  'says why nobody is let in %s, under a heading and with a way out',
  async (_, onLine, title, line) => {
    expectErrors(/ApiError/);
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(onLine);
    server.use(http.get('*/v1/refresh-token', () => HttpResponse.error()));
    signIn(aSeller(), 'token');
    await restoreSession();
    const path = '/single-product/3/p1/update';
    renderAt(path, [{ path, element: <SignedIn>{() => 'the form'}</SignedIn> }]);
    expect(await screen.findByRole('heading', { name: title, level: 1 })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Oja, home' }).getAttribute('href')).toBe('/');
    expect(screen.getByText(line, { exact: false })).toBeTruthy();
    expect(screen.queryByText('the form')).toBeNull();
  },
);
