import { pagePaths } from '@oja/contracts/pages';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { expectErrors } from '../../../test/console.js';
import { delayedAnswer, delayedPage } from '../../../test/delayed.js';
import { allIsSaid, renderAt } from '../../../test/render.js';
import { aSeller } from '../../../test/sellers.js';
import { accessToken } from '../../api/client.js';
import { currentUser, signIn, signOut } from '../../stores/session.js';
import Login from './LoginPage.js';
import Register from './RegisterPage.js';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  signOut();
  sessionStorage.clear();
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const pages = [
  { path: pagePaths.login, element: <Login /> },
  { path: pagePaths.register, element: <Register /> },
];
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

describe('login', () => {
  const answers = (user = aSeller()) =>
    server.use(
      http.post('*/v1/login', () =>
        HttpResponse.json({ success: true, userDetails: user, accessToken: 'token' }),
      ),
    );
  const logIn = () => {
    type('Business Name', 'Coal City Footwear');
    type('Password', 'coal-city');
    press('LOG IN');
  };

  it('leads sellers to their dashboard and admins to theirs', async () => {
    answers();
    const seller = renderAt('/login', pages);
    logIn();
    await waitFor(() => expect(seller.router.state.location.pathname).toBe('/dashboard'));
    expect(currentUser()).toEqual(aSeller());
    expect(accessToken()).toBe('token');
    seller.unmount();
    answers(aSeller({ is_admin: 1 }));
    const admin = renderAt('/login', pages);
    logIn();
    await waitFor(() => expect(admin.router.state.location.pathname).toBe('/admin-dashboard'));
  });

  it.each(['/login', '/register'])('says who is signed in already: %s', async (path) => {
    signIn(aSeller(), 'token');
    const { container } = renderAt(path, pages);
    expect(
      screen.getByText('Coal City Footwear is signed in here.', { exact: false }),
    ).toBeTruthy();
    const on = screen.getByRole('link', { name: 'Go to its dashboard' });
    expect(on.getAttribute('href')).toBe('/dashboard');
    await expectAccessible(container);
  });

  it('leads back to the guarded page that was asked for', async () => {
    answers();
    const { router } = renderAt('/elsewhere', pages);
    await router.navigate('/login', {
      state: { from: { pathname: '/dashboard/profile', search: '?a=1' } },
    });
    await screen.findByRole('heading', { name: 'LOGIN' });
    expect(screen.getByText('Log in to continue where you were.')).toBeTruthy();
    logIn();
    await waitFor(() =>
      expect(router.state.location.pathname + router.state.location.search).toBe(
        '/dashboard/profile?a=1',
      ),
    );
  });

  it('leads nowhere once somebody has gone elsewhere, and signs in all the same', async () => {
    const { resolver, release } = delayedAnswer(() =>
      HttpResponse.json({ success: true, userDetails: aSeller(), accessToken: 'token' }),
    );
    server.use(http.post('*/v1/login', resolver));
    const { router } = renderAt('/login', pages);
    logIn();
    await act(() => router.navigate('/about'));
    await act(async () => release());
    await waitFor(() => expect(currentUser()).toEqual(aSeller()));
    await allIsSaid();
    expect(router.state.location.pathname).toBe('/about');
  });

  it('leads nowhere once somebody has pressed what leads elsewhere, however slow that is', async () => {
    const { resolver, release } = delayedAnswer(() =>
      HttpResponse.json({ success: true, userDetails: aSeller(), accessToken: 'token' }),
    );
    server.use(http.post('*/v1/login', resolver));
    const about = delayedPage('/about');
    const { router } = renderAt('/login', [...pages, about.route]);
    logIn();
    await act(async () => void router.navigate('/about'));
    await act(async () => release());
    await waitFor(() => expect(currentUser()).toEqual(aSeller()));
    await allIsSaid();
    about.release();
    await screen.findByText('/about');
    expect(router.state.location.pathname).toBe('/about');
  });

  it('takes the apostrophe of an iPhone for what it is', async () => {
    let sent: unknown;
    server.use(
      http.post('*/v1/login', async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json({ success: true, userDetails: aSeller(), accessToken: 'token' });
      }),
    );
    const { router } = renderAt('/login', pages);
    type('Business Name', 'Ifeanyi’s Footwear');
    type('Password', 'ifeanyi’s own');
    press('LOG IN');
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'));
    expect(sent).toEqual({ businessName: "Ifeanyi's Footwear", password: 'ifeanyi’s own' });
  });

  it('shows what the server said, followed by !!', async () => {
    server.use(
      http.post('*/v1/login', () =>
        HttpResponse.json(
          { success: false, message: 'Business name or password is wrong' },
          { status: 401 },
        ),
      ),
    );
    const { container } = renderAt('/login', pages);
    logIn();
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Business name or password is wrong!!',
    );
    await expectAccessible(container);
  });
});

describe('a login that is refused', () => {
  const answers = (body: object, status: number) =>
    server.use(http.post('*/v1/login', () => HttpResponse.json(body, { status })));

  it('leaves alone the session of whoever is signed in', async () => {
    signIn(aSeller(), 'token');
    answers(
      { success: false, message: 'Wrong business name or password', code: 'wrong_login' },
      401,
    );
    renderAt('/login', pages);
    fireEvent.click(screen.getByRole('button', { name: 'LOG IN' }));
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Wrong business name or password!!',
    );
    expect(currentUser()).toEqual(aSeller());
    expect(accessToken()).toBe('token');
  });

  it('says field by field what is wrong, and goes to the first', async () => {
    const message = 'businessName must not be empty; password must not be empty';
    const errors = { businessName: 'must not be empty', password: 'must not be empty' };
    answers({ success: false, message, errors }, 400);
    renderAt('/login', pages);
    fireEvent.click(screen.getByRole('button', { name: 'LOG IN' }));
    expect(await screen.findAllByText('must not be empty')).toHaveLength(2);
    expect(document.activeElement).toBe(screen.getByLabelText('Business Name'));
    expect(screen.getByText(`${message}!!`)).toBeTruthy();
  });

  it('puts the two marks in the place of a sentence’s own', async () => {
    answers({}, 429);
    renderAt('/login', pages);
    fireEvent.click(screen.getByRole('button', { name: 'LOG IN' }));
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Too many tries. Wait a little and try again!!',
    );
  });
});

describe('a password that is chosen at the login', () => {
  it('is sent again as the same one when its answer was lost, whoever else is signed in', async () => {
    expectErrors(/cannot answer just now/);
    signIn(aSeller({ user_id: 's8' }), 'token of another');
    const sent: (string | null)[][] = [];
    server.use(
      http.post('*/v1/login', () =>
        HttpResponse.json({ message: 'Choose', code: 'choose_password' }, { status: 403 }),
      ),
      http.get('*/v1/refresh-token', () => HttpResponse.json({}, { status: 503 })),
      http.post('*/v1/login/new-password', ({ request: { headers } }) => {
        sent.push([headers.get('Idempotency-Key'), headers.get('Authorization')]);
        return sent.length === 1
          ? HttpResponse.json({ message: 'Too slow' }, { status: 503 })
          : HttpResponse.json({ success: true, userDetails: aSeller(), accessToken: 'token' });
      }),
    );
    renderAt('/login', pages);
    type('Business Name', 'Coal City Footwear');
    type('Password', 'given-for-once');
    press('LOG IN');
    fireEvent.change(await screen.findByLabelText(/^New password/), {
      target: { value: 'adire-and-indigo' },
    });
    press('SAVE AND LOG IN');
    expect(await screen.findByText('Too slow')).toBeTruthy();
    press('SAVE AND LOG IN');
    await waitFor(() => expect(currentUser()).toEqual(aSeller()));
    expect(sent).toHaveLength(2);
    expect(sent[1]).toEqual(sent[0]);
    expect(sent[0]?.[1]).toBeNull();
  });
});
