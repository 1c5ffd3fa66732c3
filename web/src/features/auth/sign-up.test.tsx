import { pagePaths } from '@oja/contracts/pages';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { delayedAnswer } from '../../../test/delayed.js';
import { allIsSaid, readEverythingAgain, renderAt } from '../../../test/render.js';
import { aSeller } from '../../../test/sellers.js';
import { currentUser, signIn, signOut } from '../../stores/session.js';
import { toast } from '../../ui/toast.js';
import Register from './RegisterPage.js';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  signOut();
  sessionStorage.clear();
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const pages = [{ path: pagePaths.register, element: <Register /> }];
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

/** Fills every field, and agrees to the terms. */
function fillIn(password = 'adire-and-indigo'): void {
  type('Name', 'Ifeanyi Eze');
  type('Business name', 'Coal City Footwear');
  type('Phone number', '08065512904');
  type('Password', password);
  fireEvent.click(screen.getByRole('checkbox'));
}

describe('sign-up', () => {
  const nameIs = (exists: boolean) =>
    server.use(http.get('*/v1/businessName-checker/*', () => HttpResponse.json({ exists })));

  it('opens its button only when the terms are agreed to', async () => {
    const { container } = renderAt('/register', pages);
    expect(screen.getByRole('button', { name: 'SIGN UP' })).toHaveProperty('disabled', true);
    fireEvent.click(screen.getByRole('checkbox'));
    expect(screen.getByRole('button', { name: 'SIGN UP' })).toHaveProperty('disabled', false);
    await expectAccessible(container);
  });

  it('offers the business name to password managers as what one logs in with', () => {
    renderAt('/register', pages);
    // Without it, they take the field before the password: the phone number, which no login accepts.
    expect(screen.getByLabelText('Business name').getAttribute('autocomplete')).toBe('username');
    expect(screen.getByLabelText('Password').getAttribute('autocomplete')).toBe('new-password');
  });

  it('says what is wrong, to the letter, and goes to the first wrong field', async () => {
    renderAt('/register', pages);
    fireEvent.click(screen.getByRole('checkbox'));
    press('SIGN UP');
    expect(await screen.findByText('please enter your name!')).toBeTruthy();
    expect(screen.getByText('please enter your business name!')).toBeTruthy();
    expect(screen.getByText('please enter your Phone number!')).toBeTruthy();
    expect(screen.getByText('please enter your passwordd!')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText('Name'));
  });

  it.each([
    [true, 'Business name is already taken!'],
    [false, 'Business name is available!'],
  ])('says while typing whether the name exists: %s', async (exists, words) => {
    nameIs(exists);
    renderAt('/register', pages);
    type('Business name', 'Coal City');
    expect(await screen.findByText(words, {}, { timeout: 3_000 })).toBeTruthy();
    expect(screen.getByLabelText('Business name').getAttribute('aria-invalid')).toBe(
      exists ? 'true' : null,
    );
  });

  it.each([
    ['abc', 'minimum of 4 characters'],
    ['🍅🍅🍅🍅', /^only letters, digits, spaces/],
    ['a'.repeat(70), /^maximum of \d+ characters$/],
  ])('calls %s no available name', async (typed, words) => {
    nameIs(false);
    renderAt('/register', pages);
    type('Business name', typed);
    expect(await screen.findByText(words, {}, { timeout: 3_000 })).toBeTruthy();
    expect(screen.queryByText('Business name is available!')).toBeNull();
    expect(screen.getByLabelText('Business name').getAttribute('aria-invalid')).toBe('true');
  });

  it('keeps what was typed on the way to the Terms and back, but for the password', async () => {
    nameIs(false);
    const first = renderAt('/register', pages);
    type('Name', 'Ifeanyi Eze');
    type('Business name', 'Coal City Footwear');
    type('Phone number', '0806 551 2904');
    type('Password', 'adire-and-indigo');
    fireEvent.click(screen.getByRole('link', { name: 'Terms' }));
    await screen.findByText('elsewhere');
    await first.router.navigate(-1);
    await screen.findByRole('heading', { name: 'SIGN UP' });
    const value = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;
    expect(['Name', 'Business name', 'Phone number', 'Password'].map(value)).toEqual([
      'Ifeanyi Eze',
      'Coal City Footwear',
      '0806 551 2904',
      '',
    ]);
  });

  it.each([
    // Copied from the contacts of a phone: with marks around it that nobody sees.
    ['Ifeanyi’s Footwear', '\u202A0806 551-2904\u202C'],
    // Filled in by the browser, which knows numbers with the code of their country.
    ['Ifeanyi’s Footwear', '+2348065512904'],
    ['\u202AIfeanyi’s\u200B\u00A0Footwear\u202C', '+234 (0)806.551.2904'],
    [' Ifeanyi’s   Footwear ', '08065512904'],
  ])('signs in as %j of %j and goes on to upload', async (typedName, typedPhone) => {
    const checked: string[] = [];
    let sent: unknown;
    server.use(
      http.get('*/v1/businessName-checker/:name', ({ params }) => {
        checked.push(String(params.name));
        return HttpResponse.json({ exists: false });
      }),
    );
    server.use(
      http.post('*/v1/register', async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json(
          { success: true, data: { name: 'Ifeanyi Eze', data: aSeller() }, accessToken: 'token' },
          { status: 201 },
        );
      }),
    );
    const { router } = renderAt('/register', pages);
    type('Name', 'Ifeanyi Eze');
    // An iPhone types this sign for an apostrophe.
    type('Business name', typedName);
    expect(
      await screen.findByText('Business name is available!', {}, { timeout: 3_000 }),
    ).toBeTruthy();
    type('Phone number', typedPhone);
    type('Password', 'adire-and-indigo');
    fireEvent.click(screen.getByRole('checkbox'));
    press('SIGN UP');
    await waitFor(() => expect(router.state.location.pathname).toBe('/upload-product'));
    expect(checked).toEqual(["Ifeanyi's Footwear"]);
    expect(sent).toEqual({
      name: 'Ifeanyi Eze',
      businessName: "Ifeanyi's Footwear",
      phone_1: '08065512904',
      password: 'adire-and-indigo',
    });
  });

  it('leads nowhere once somebody has gone elsewhere, and opens the store all the same', async () => {
    nameIs(false);
    const { resolver, release } = delayedAnswer(() =>
      HttpResponse.json(
        { success: true, data: { name: 'Ifeanyi Eze', data: aSeller() }, accessToken: 'token' },
        { status: 201 },
      ),
    );
    server.use(http.post('*/v1/register', resolver));
    const { router } = renderAt('/register', pages);
    fillIn();
    press('SIGN UP');
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'SIGN UP' }).getAttribute('aria-busy')).toBe(
        'true',
      ),
    );
    await act(() => router.navigate('/about'));
    await act(async () => release());
    await waitFor(() => expect(currentUser()).toEqual(aSeller()));
    await allIsSaid();
    expect(router.state.location.pathname).toBe('/about');
  });

  it.each([
    [503, {}],
    [429, {}],
    [409, { code: 'in_progress' }],
  ])(
    'is sent once more as the same one after a %i %j, though its own name is taken now',
    async (status, body) => {
      // The key of a request says nothing without who sends it, and this token may run out in between.
      signIn(aSeller({ user_id: 's8' }), 'token of another');
      nameIs(false);
      const tokens: (string | null)[] = [];
      const keys: (string | null)[] = [];
      server.use(
        http.post('*/v1/register', ({ request }) => {
          tokens.push(request.headers.get('Authorization'));
          keys.push(request.headers.get('Idempotency-Key'));
          return keys.length === 1
            ? HttpResponse.json({ success: false, message: 'Too slow', ...body }, { status })
            : HttpResponse.json(
                { success: true, data: { name: 'Ada', data: aSeller() }, accessToken: 'token' },
                { status: 201 },
              );
        }),
      );
      const { router } = renderAt('/register', pages);
      fillIn();
      await screen.findByText('Business name is available!', {}, { timeout: 3_000 });
      press('SIGN UP');
      expect(await screen.findByText('Too slow')).toBeTruthy();
      nameIs(true);
      await readEverythingAgain();
      expect(screen.getByText('Business name is already taken!')).toBeTruthy();
      type('Name', 'Ifeanyi Okoro');
      press('SIGN UP');
      await waitFor(() =>
        expect(document.activeElement).toBe(screen.getByLabelText('Business name')),
      );
      expect(keys).toHaveLength(1);
      type('Name', 'Ifeanyi Eze');
      press('SIGN UP');
      await waitFor(() => expect(router.state.location.pathname).toBe('/upload-product'));
      expect(tokens).toEqual([null, null]);
      expect(new Set(keys).size).toBe(1);
    },
  );

  it('is one store also where the page was reloaded before an answer came', async () => {
    nameIs(false);
    const keys: (string | null)[] = [];
    server.use(
      http.post('*/v1/register', ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        return keys.length === 1
          ? new HttpResponse(null, { status: 502 })
          : HttpResponse.json(
              { success: true, data: { name: 'Ifeanyi', data: aSeller() }, accessToken: 'token' },
              { status: 201 },
            );
      }),
    );
    const { unmount } = renderAt('/register', pages);
    fillIn();
    press('SIGN UP');
    await screen.findByText('The market cannot answer just now. Try again.');
    unmount();
    nameIs(true);
    const { router } = renderAt('/register', pages);
    expect(screen.getByRole('alert').textContent).toMatch(/may have been done already/);
    await screen.findByText('Business name is already taken!', {}, { timeout: 3_000 });
    expect(sessionStorage.getItem('oja-sign-up')).not.toContain('adire-and-indigo');
    type('Password', 'adire-and-indigo');
    fireEvent.click(screen.getByRole('checkbox'));
    press('SIGN UP');
    await waitFor(() => expect(router.state.location.pathname).toBe('/upload-product'));
    expect(new Set(keys).size).toBe(1);
    expect(sessionStorage.getItem('oja-sign-up')).toBeNull();
  });

  it('claims nothing of it after a reload where another name is typed by then', async () => {
    nameIs(false);
    server.use(http.post('*/v1/register', () => new HttpResponse(null, { status: 502 })));
    const { unmount } = renderAt('/register', pages);
    fillIn();
    press('SIGN UP');
    await screen.findByRole('alert');
    type('Business name', 'Nnewi Motor Parts');
    unmount();
    renderAt('/register', pages);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('says that the store is open where another password is typed after a lost answer', async () => {
    nameIs(false);
    let answer: Response = new HttpResponse(null, { status: 502 });
    server.use(http.post('*/v1/register', () => answer.clone()));
    renderAt('/register', pages);
    fillIn();
    press('SIGN UP');
    await screen.findByText('The market cannot answer just now. Try again.');
    answer = HttpResponse.json({ code: 'idempotency_key_reused' }, { status: 422 });
    type('Password', 'indigo-and-adire');
    press('SIGN UP');
    expect(await screen.findByText(/^You are registered already/)).toBeTruthy();
  });

  it('shows each of the server’s errors at its field, and goes to the first', async () => {
    nameIs(false);
    server.use(
      http.post('*/v1/register', () =>
        HttpResponse.json(
          {
            success: false,
            message: 'Taken',
            errors: { businessName: 'is taken', password: 'is common' },
          },
          { status: 409 },
        ),
      ),
    );
    renderAt('/register', pages);
    fillIn();
    press('SIGN UP');
    expect(await screen.findByText('is taken')).toBeTruthy();
    expect(screen.getByText('is common')).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toBe('Taken');
    const first = screen.getByLabelText('Business name');
    await waitFor(() => expect(document.activeElement).toBe(first));
  });

  it.each([
    ['Phone number', '123', false],
    ['Business name', 'Jos Road Boots', true],
  ])(
    'shows no refusal of before once %s keeps it from being sent',
    async (field, value, exists) => {
      nameIs(false);
      server.use(
        http.post('*/v1/register', () =>
          HttpResponse.json({ success: false, message: 'Too common' }, { status: 400 }),
        ),
      );
      renderAt('/register', pages);
      fillIn('password');
      press('SIGN UP');
      expect((await screen.findByRole('alert')).textContent).toBe('Too common');
      nameIs(exists);
      type(field, value);
      if (exists)
        await screen.findByText('Business name is already taken!', {}, { timeout: 3_000 });
      press('SIGN UP');
      await waitFor(() => expect(screen.queryByText('Too common')).toBeNull());
    },
  );

  it('asks for a business name where there is none, and not for one that is not checked yet', async () => {
    nameIs(false);
    const asked = vi.spyOn(toast, 'error');
    renderAt('/register', pages);
    fireEvent.click(screen.getByRole('checkbox'));
    type('Business name', 'Coal City Footwear');
    press('SIGN UP');
    await screen.findByText('please enter your name!');
    expect(asked).not.toHaveBeenCalled();
    type('Business name', '');
    press('SIGN UP');
    await waitFor(() => expect(asked).toHaveBeenCalledWith('Please enter your Business Name.'));
  });
});
