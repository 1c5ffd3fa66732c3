import { pagePaths } from '@oja/contracts/pages';
import { AUTH_STORAGE } from '@oja/contracts/wire';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { expectErrors } from '../../../test/console.js';
import { delayedAnswer } from '../../../test/delayed.js';
import { allIsSaid, renderAt } from '../../../test/render.js';
import { aSeller } from '../../../test/sellers.js';
import { setUpSignedInPages } from '../../../test/signed-in-pages.js';
import { profileQuery } from '../../api/profile.js';
import { queryClient } from '../../api/query-client.js';
import { currentUser, signIn, signOut } from '../../stores/session.js';
import PasswordPage from './PasswordPage.js';
import ProfilePage from './ProfilePage.js';

const { server, toastTexts } = setUpSignedInPages();
const pages = [{ path: pagePaths.profile, element: <ProfilePage /> }];
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const isBusy = (button: HTMLElement) => button.getAttribute('aria-busy') === 'true';

const letters = { success: true, email: null, on: false, asked: null };
const asked = { email: 'ada@example.com', ends_at: '2026-11-21T10:30:00.000Z' };
const lettersAre = (change: object) =>
  server.use(http.get('*/v1/user/letters', () => HttpResponse.json({ ...letters, ...change })));
const panel = () => within(screen.getByRole('region', { name: 'E-mails' }));
const me = {
  ...aSeller(),
  userId: 's7',
  phone_1: '08065512904',
  created_at: '2026-09-05T13:31:24.644Z',
};
beforeEach(() => {
  signIn(aSeller(), 'token');
  server.use(
    http.get('*/v1/user/single-user', () => HttpResponse.json({ success: true, result: [me] })),
    http.get('*/v1/user/payout-account', () => HttpResponse.json({ success: true, account: null })),
    http.get('*/v1/user/letters', () => HttpResponse.json(letters)),
  );
});

describe('profile', () => {
  it('is read-only until edit details, and again after a save', async () => {
    let sent: unknown;
    server.use(
      http.put('*/v1/user/update/s7', async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json({ success: true, userDetails: { ...me, name: 'Ifeanyi Okoro' } });
      }),
    );
    const { container } = renderAt('/dashboard/profile', pages);
    const name = await screen.findByRole('textbox', { name: /^Name/ });
    expect(name).toHaveProperty('readOnly', true);
    await expectAccessible(container);
    press('edit details');
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /^Name/ }));
    fireEvent.change(screen.getByRole('textbox', { name: /^Name/ }), {
      target: { value: 'Ifeanyi Okoro' },
    });
    // An iPhone types this sign for an apostrophe.
    fireEvent.change(screen.getByRole('textbox', { name: /^Business name/ }), {
      target: { value: 'Coal City’s Footwear' },
    });
    // Copied from the contacts of a phone: with marks around it that nobody sees.
    fireEvent.change(screen.getByRole('textbox', { name: /^Phone/ }), {
      target: { value: '\u202A0803 412-7765\u202C' },
    });
    press('Update Profile');
    const again = await screen.findByRole('button', { name: 'edit details' });
    await waitFor(() => expect(document.activeElement).toBe(again));
    expect(sent).toEqual({
      name: 'Ifeanyi Okoro',
      businessName: "Coal City's Footwear",
      phone_1: '08034127765',
    });
    expect(toastTexts).toEqual(['Profile updated successfully']);
    // The phone number does not go into the browser's storage.
    expect(currentUser()).toEqual(aSeller({ name: 'Ifeanyi Okoro' }));
  });

  it('gives the focus back to the button when the details are left as they were', async () => {
    renderAt('/dashboard/profile', pages);
    fireEvent.click(await screen.findByRole('button', { name: 'edit details' }));
    press('Leave as it was');
    const again = screen.getByRole('button', { name: 'edit details' });
    expect(document.activeElement).toBe(again);
  });

  it('changes only what was typed, not what another tab has changed since the form was opened', async () => {
    let sent: unknown;
    server.use(
      http.put('*/v1/user/update/s7', async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json({ success: true, userDetails: me });
      }),
    );
    renderAt('/dashboard/profile', pages);
    fireEvent.click(await screen.findByRole('button', { name: 'edit details' }));
    fireEvent.change(screen.getByRole('textbox', { name: /^Phone/ }), {
      target: { value: '08034127765' },
    });
    const renamed = { ...me, businessName: 'Renamed Meanwhile' };
    server.use(
      http.get('*/v1/user/single-user', () =>
        HttpResponse.json({ success: true, result: [renamed] }),
      ),
    );
    press('Update Profile');
    await screen.findByRole('button', { name: 'edit details' });
    expect(sent).toEqual({
      name: me.name,
      businessName: 'Renamed Meanwhile',
      phone_1: '08034127765',
    });
  });

  it('stays open while it saves, and keeps what is typed meanwhile', async () => {
    const sent: unknown[] = [];
    const answer = delayedAnswer(() =>
      HttpResponse.json({ success: true, userDetails: { ...me, name: 'Ifeanyi Okoro' } }),
    );
    server.use(
      http.put('*/v1/user/update/s7', async ({ request }) => {
        sent.push(await request.json());
        return answer.resolver();
      }),
    );
    renderAt('/dashboard/profile', pages);
    fireEvent.click(await screen.findByRole('button', { name: 'edit details' }));
    const phone = screen.getByRole<HTMLInputElement>('textbox', { name: /^Phone/ });
    fireEvent.change(screen.getByRole('textbox', { name: /^Name/ }), {
      target: { value: 'Ifeanyi Okoro' },
    });
    press('Update Profile');
    await waitFor(() => expect(sent).toHaveLength(1));
    press('Leave as it was');
    phone.focus();
    fireEvent.change(phone, { target: { value: '08034127765' } });
    answer.release();
    await waitFor(() => expect(toastTexts).toEqual(['Profile updated successfully']));
    expect(phone.value).toBe('08034127765');
    expect(phone.readOnly).toBe(false);
    expect(document.activeElement).toBe(phone);
    press('Update Profile');
    await screen.findByRole('button', { name: 'edit details' });
    expect(sent).toEqual([
      { name: 'Ifeanyi Okoro', businessName: me.businessName, phone_1: me.phone_1 },
      { name: me.name, businessName: me.businessName, phone_1: '08034127765' },
    ]);
  });

  it.each([
    [{ missingFields: ['name'], errors: { name: 'is required' } }, 400, 'Please fill in: Name'],
    [{}, 409, 'Unexpected error'],
  ])(
    'shows what is missing, and else that something was unexpected',
    async (body, status, words) => {
      expectErrors(/That did not work/);
      server.use(http.put('*/v1/user/update/s7', () => HttpResponse.json(body, { status })));
      renderAt('/dashboard/profile', pages);
      fireEvent.click(await screen.findByRole('button', { name: 'edit details' }));
      press('Update Profile');
      expect((await screen.findByRole('alert')).textContent).toBe(words);
    },
  );

  it('takes an address for letters by its code, and keeps the focus where it goes on', async () => {
    server.use(
      http.post('*/v1/user/letters/address', () => {
        lettersAre({ asked });
        return HttpResponse.json({ success: true, ends_at: asked.ends_at });
      }),
      http.put('*/v1/user/letters/address', async ({ request }) => {
        const { code } = Object(await request.json());
        const problem = 'This is not the code of the letter. 4 tries left.';
        if (code !== '123456')
          return HttpResponse.json(
            { message: problem, errors: { code: problem } },
            { status: 400 },
          );
        lettersAre({ email: asked.email, on: true });
        return HttpResponse.json({ success: true });
      }),
    );
    const { container } = renderAt('/dashboard/profile', pages);
    fireEvent.click(await screen.findByRole('button', { name: 'Add an address' }));
    const email = screen.getByRole('textbox', { name: 'E-mail address' });
    await waitFor(() => expect(document.activeElement).toBe(email));
    await expectAccessible(container);
    fireEvent.change(email, { target: { value: asked.email } });
    fireEvent.change(screen.getByLabelText('Your password'), { target: { value: 'secret' } });
    press('Send code');
    const code = await screen.findByRole('textbox', { name: 'Code' });
    await waitFor(() => expect(document.activeElement).toBe(code));
    expect(code.getAttribute('autocomplete')).toBe('one-time-code');
    expect(code.getAttribute('inputmode')).toBe('numeric');
    await expectAccessible(container);
    fireEvent.change(code, { target: { value: '000000' } });
    press('Confirm address');
    expect(
      await screen.findByText('This is not the code of the letter. 4 tries left.'),
    ).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(code));
    fireEvent.change(code, { target: { value: '123 456' } });
    press('Confirm address');
    expect(await panel().findByRole('button', { name: 'E-mails on' })).toBeTruthy();
    expect(panel().getByText(asked.email)).toBeTruthy();
    await waitFor(() => expect(document.activeElement?.textContent).toBe('E-mails'));
    await waitFor(() => expect(toastTexts).toEqual(['E-mails are on']));
    await expectAccessible(container);
  });

  it('says that the bank details did not load, tries again, and keeps the focus after the form', async () => {
    expectErrors(/That did not work/);
    const answers = (account: object | null, status = 200) =>
      server.use(
        http.get('*/v1/user/payout-account', () =>
          HttpResponse.json({ success: true, account }, { status }),
        ),
      );
    answers(null, 400);
    renderAt('/dashboard/profile', pages);
    expect((await screen.findByRole('alert')).textContent).toBe('Your bank details did not load.');
    answers(null);
    press('Try again');
    expect(document.activeElement?.textContent).toBe('Bank details');
    fireEvent.click(await screen.findByRole('button', { name: 'Add bank details' }));
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Account name' }));
    press('Leave as it was');
    expect(document.activeElement?.textContent).toBe('Bank details');
  });

  it('leaves no form of an address whose answer is on its way', async () => {
    lettersAre({ asked });
    const code = delayedAnswer(() => HttpResponse.json({ success: true }));
    const removed = delayedAnswer(() => HttpResponse.json({ success: true }));
    const sent = delayedAnswer(() => HttpResponse.json({ success: true, ends_at: asked.ends_at }));
    server.use(
      http.put('*/v1/user/letters/address', code.resolver),
      http.post('*/v1/user/letters/address', sent.resolver),
      http.delete('*/v1/user/letters/address', removed.resolver),
    );
    const busy = (name: string) =>
      waitFor(() => expect(isBusy(screen.getByRole('button', { name }))).toBe(true));
    renderAt('/dashboard/profile', pages);
    fireEvent.click(await screen.findByRole('button', { name: 'Type the code' }));
    fireEvent.change(screen.getByRole('textbox', { name: 'Code' }), {
      target: { value: '123456' },
    });
    press('Confirm address');
    await busy('Confirm address');
    press('Send a new code');
    press('Later');
    expect(screen.getByRole('textbox', { name: 'Code' })).toBeTruthy();
    code.release();
    const change = await screen.findByRole('button', { name: 'Change address' });
    press('Remove address');
    await busy('Remove address');
    fireEvent.click(change);
    press('Type the code');
    expect(panel().queryByRole('textbox')).toBeNull();
    removed.release();
    await waitFor(() => expect(isBusy(change)).toBe(false));
    fireEvent.click(change);
    press('Send code');
    await busy('Send code');
    press('Leave as it was');
    expect(screen.getByRole('textbox', { name: 'E-mail address' })).toBeTruthy();
    sent.release();
    expect(await screen.findByRole('textbox', { name: 'Code' })).toBeTruthy();
  });

  it('keeps the form of the bank details open while it saves, with what is typed meanwhile', async () => {
    const answer = delayedAnswer(() => HttpResponse.json({ success: true }));
    let isSent = false;
    server.use(
      http.put('*/v1/user/payout-account', () => {
        isSent = true;
        return answer.resolver();
      }),
    );
    renderAt('/dashboard/profile', pages);
    fireEvent.click(await screen.findByRole('button', { name: 'Add bank details' }));
    const number = screen.getByRole<HTMLInputElement>('textbox', { name: 'Account number' });
    press('Save bank details');
    await waitFor(() => expect(isSent).toBe(true));
    press('Leave as it was');
    number.focus();
    fireEvent.change(number, { target: { value: '0123456789' } });
    answer.release();
    await waitFor(() => expect(toastTexts).toEqual(['Bank details saved']));
    await waitFor(() =>
      expect(isBusy(screen.getByRole('button', { name: 'Save bank details' }))).toBe(false),
    );
    expect(number.isConnected).toBe(true);
    expect(number.value).toBe('0123456789');
    expect(document.activeElement).toBe(number);
    press('Save bank details');
    await waitFor(() => expect(number.isConnected).toBe(false));
  });

  it('says that the address for letters did not load, and tries again', async () => {
    expectErrors(/That did not work/);
    server.use(http.get('*/v1/user/letters', () => HttpResponse.json({}, { status: 400 })));
    renderAt('/dashboard/profile', pages);
    expect((await screen.findByRole('alert')).textContent).toBe('Your address did not load.');
    lettersAre({ email: asked.email, on: true });
    press('Try again');
    expect(document.activeElement?.textContent).toBe('E-mails');
    expect(await panel().findByText(asked.email)).toBeTruthy();
  });

  it('keeps what it shows of an address where there is no network: nothing was sent', async () => {
    expectErrors(/You are offline/);
    lettersAre({ email: asked.email, on: true });
    renderAt('/dashboard/profile', pages);
    const turn = await screen.findByRole('button', { name: 'E-mails on' });
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const lost = () => HttpResponse.error();
    server.use(http.put('*/v1/user/letters', lost), http.get('*/v1/user/letters', lost));
    fireEvent.click(turn);
    await waitFor(() => expect(toastTexts).toEqual(['You are offline.']));
    await allIsSaid();
    expect(screen.getByRole('button', { name: 'E-mails on' })).toBe(turn);
    press('Change address');
    expect(screen.getByRole('textbox', { name: 'E-mail address' })).toBeTruthy();
  });

  it('lets a suspended seller switch letters off and take the address away, and no more', async () => {
    signIn(aSeller({ is_suspended: 1 }), 'token');
    lettersAre({ email: asked.email, on: true });
    renderAt('/dashboard/profile', pages);
    expect(await screen.findByRole('button', { name: 'Remove address' })).toBeTruthy();
    expect(panel().getByRole('button', { name: 'E-mails on' })).toBeTruthy();
    expect(panel().queryByRole('button', { name: 'Change address' })).toBeNull();
  });
});

it('leads nowhere after a change of password once somebody has gone elsewhere', async () => {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    http.put('*/v1/user/password', async () => {
      await answered;
      return HttpResponse.json({ success: true });
    }),
  );
  const { router } = renderAt('/dashboard/profile/password', [
    { path: pagePaths.password, element: <PasswordPage /> },
  ]);
  for (const label of [/^Old password/, /^New password/])
    fireEvent.change(screen.getByLabelText(label), { target: { value: 'adire-and-indigo' } });
  press('Change password');
  await act(() => router.navigate('/about'));
  await act(async () => answer());
  await waitFor(() =>
    expect(toastTexts).toEqual(['Password changed. Everywhere else you are logged out.']),
  );
  await allIsSaid();
  expect(router.state.location.pathname).toBe('/about');
});

/** Answers the first request with a 503, which leaves open what became of it. Gives the keys of all. */
function lostOnce(method: 'put' | 'post', path: string, body: object) {
  const keys: (string | null)[] = [];
  server.use(
    http[method](path, ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return keys.length === 1
        ? HttpResponse.json({ success: false, message: 'Too slow' }, { status: 503 })
        : HttpResponse.json({ success: true, ...body });
    }),
  );
  return keys;
}

it('sends a new password whose answer was lost again as the same change', async () => {
  const keys = lostOnce('put', '*/v1/user/password', { message: 'Password changed' });
  renderAt('/dashboard/profile/password', [
    { path: pagePaths.password, element: <PasswordPage /> },
  ]);
  for (const label of [/^Old password/, /^New password/])
    fireEvent.change(screen.getByLabelText(label), { target: { value: 'adire-and-indigo' } });
  press('Change password');
  expect(await screen.findByText('Too slow')).toBeTruthy();
  press('Change password');
  await waitFor(() =>
    expect(toastTexts).toEqual(['Password changed. Everywhere else you are logged out.']),
  );
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
});

it('sends a code whose answer was lost again as the same confirmation', async () => {
  lettersAre({ asked });
  const keys = lostOnce('put', '*/v1/user/letters/address', {});
  renderAt('/dashboard/profile', pages);
  fireEvent.click(await screen.findByRole('button', { name: 'Type the code' }));
  fireEvent.change(screen.getByRole('textbox', { name: 'Code' }), { target: { value: '123456' } });
  press('Confirm address');
  await waitFor(() => expect(toastTexts).toEqual(['Too slow']));
  press('Confirm address');
  await waitFor(() => expect(toastTexts).toEqual(['Too slow', 'E-mails are on']));
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
});

it.each([
  ['nobody', () => signOut('left'), null],
  ['somebody else', () => signIn(aSeller({ user_id: 's8' }), 't2'), 's8'],
])(
  'signs nobody in with a late answer to changed details: now %s is there',
  async (_, leave, now) => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let isSent = false;
    server.use(
      http.put('*/v1/user/update/s7', async () => {
        isSent = true;
        await answered;
        return HttpResponse.json({ success: true, userDetails: me });
      }),
    );
    renderAt('/dashboard/profile', pages);
    fireEvent.click(await screen.findByRole('button', { name: 'edit details' }));
    press('Update Profile');
    await waitFor(() => expect(isSent).toBe(true));
    act(leave);
    const stored = localStorage.getItem(AUTH_STORAGE);
    answer();
    await waitFor(() => expect(toastTexts).toEqual(['Profile updated successfully']));
    expect(currentUser()?.user_id ?? null).toBe(now);
    expect(localStorage.getItem(AUTH_STORAGE)).toBe(stored);
    expect(queryClient.getQueryData(profileQuery.queryKey)?.user_id).not.toBe('s7');
  },
);
