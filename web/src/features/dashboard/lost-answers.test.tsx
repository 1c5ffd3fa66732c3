import { pagePaths } from '@oja/contracts/pages';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { expectErrors } from '../../../test/console.js';
import { delayedAnswer } from '../../../test/delayed.js';
import { renderAt } from '../../../test/render.js';
import { aSeller } from '../../../test/sellers.js';
import { setUpSignedInPages } from '../../../test/signed-in-pages.js';
import { currentUser, signIn, signOut } from '../../stores/session.js';
import ProfilePage from './ProfilePage.js';

const { server, toastTexts } = setUpSignedInPages();

const old = { account_name: 'Ada Obi', account_number: '0000000001', bank_code: '058' };
const elsewhere = { account_name: 'Ada Obi', account_number: '7777777777', bank_code: '044' };
const nobody = { email: null as string | null, on: false, asked: null as object | null };
const me = {
  ...aSeller(),
  userId: 's7',
  phone_1: '08065512904',
  created_at: '2026-09-05T13:31:24.644Z',
};

/** What the market has. It takes every write, and answers as `answers` says: a lost answer is one that the proxy made up. */
let has = { me, account: null as typeof old | null, letters: nobody };
let answers: 'heard' | 'lost' | 'offline' = 'heard';
let sent: { readonly key: string | null; readonly body: unknown }[] = [];

const ok = (body: object) => HttpResponse.json({ success: true, ...body });
const read = (body: () => object) => () =>
  answers === 'offline' ? HttpResponse.error() : ok(body());
const taken = async (request: Request, change: (body: object) => object, answer: object = {}) => {
  const key = request.headers.get('Idempotency-Key');
  const body: object = request.method === 'DELETE' ? {} : Object(await request.json());
  const isNew = !sent.some((one) => one.key === key);
  sent.push({ key, body });
  if (isNew) has = { ...has, ...change(body) };
  if (answers === 'heard') return ok(answer);
  if (answers === 'offline') return HttpResponse.error();
  return new HttpResponse('<h1>502 Bad Gateway</h1>', { status: 502 });
};
const asked = { email: 'ada@example.com', ends_at: '2026-11-21T10:30:00.000Z' };

beforeEach(() => {
  has = { me, account: old, letters: nobody };
  answers = 'heard';
  sent = [];
  signIn(aSeller(), 'token');
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => answers !== 'offline');
  server.use(
    http.get(
      '*/v1/user/single-user',
      read(() => ({ result: [has.me] })),
    ),
    http.get(
      '*/v1/user/payout-account',
      read(() => ({ account: has.account })),
    ),
    http.get(
      '*/v1/user/letters',
      read(() => has.letters),
    ),
    http.put('*/v1/user/update/s7', ({ request }) =>
      taken(request, (body) => ({ me: { ...me, ...body } }), { userDetails: has.me }),
    ),
    http.put('*/v1/user/payout-account', ({ request }) =>
      taken(request, (body) => {
        const { password: _, ...account } = Object(body);
        return { account };
      }),
    ),
    http.post('*/v1/user/letters/address', ({ request }) =>
      taken(request, () => ({ letters: { ...has.letters, asked } }), { ends_at: asked.ends_at }),
    ),
    http.put('*/v1/user/letters/address', ({ request }) =>
      taken(request, () => ({ letters: { email: asked.email, on: true, asked: null } })),
    ),
    http.delete('*/v1/user/letters/address', ({ request }) =>
      taken(request, () => ({ letters: nobody })),
    ),
    http.put('*/v1/user/letters', ({ request }) =>
      taken(request, (body) => ({ letters: { ...has.letters, ...body } })),
    ),
  );
});

const open = () =>
  renderAt('/dashboard/profile', [{ path: pagePaths.profile, element: <ProfilePage /> }]);
const panel = (name: string) => within(screen.getByRole('region', { name }));
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const pressOnce = async (name: string) =>
  fireEvent.click(await screen.findByRole('button', { name }));
const type = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const isAnswered = () => waitFor(() => expect(toastTexts).toHaveLength(1));
/** Opens the page, and does what begins with this button. The market does it, and its answer does not come. */
async function losesAnswer(opener: string, act: () => Promise<void>): Promise<void> {
  open();
  await screen.findByRole('button', { name: opener });
  answers = 'lost';
  await act();
  await isAnswered();
}
const FAILED = 'The market cannot answer just now. Try again.';

describe('bank details whose answer was lost', () => {
  const typeAccount = async () => {
    await pressOnce('Change');
    type('Account number', '5555555555');
    type('Your password', 'coal-city');
  };
  const bank = () => panel('Bank details');

  it('are shown as they are now, once the form is left', async () => {
    open();
    await typeAccount();
    answers = 'lost';
    press('Save bank details');
    await isAnswered();
    expect(toastTexts).toEqual([FAILED]);
    press('Leave as it was');
    expect(await bank().findByText('5555555555')).toBeTruthy();
  });

  it('are not shown as they were before, while nobody can know', async () => {
    expectErrors(/You are offline/);
    open();
    await typeAccount();
    server.use(
      http.put('*/v1/user/payout-account', () => {
        answers = 'offline';
        return HttpResponse.error();
      }),
    );
    press('Save bank details');
    await isAnswered();
    press('Leave as it was');
    expect(
      await bank().findByText('You are offline: your bank details did not load.'),
    ).toBeTruthy();
    expect(bank().queryByText(old.account_number)).toBeNull();
    answers = 'heard';
    press('Try again');
    expect(await bank().findByText(old.account_number)).toBeTruthy();
  });

  it('keep their form with what was typed', async () => {
    open();
    await typeAccount();
    answers = 'lost';
    press('Save bank details');
    await isAnswered();
    answers = 'heard';
    press('Save bank details');
    await waitFor(() => expect(toastTexts).toEqual([FAILED, 'Bank details saved']));
    expect(await bank().findByText('5555555555')).toBeTruthy();
  });
});

describe('bank details that were changed elsewhere since their form was opened', () => {
  it('are not replaced before they were shown', async () => {
    open();
    await pressOnce('Change');
    type('Account name', 'Ada N. Obi');
    type('Your password', 'coal-city');
    has = { ...has, account: elsewhere };
    press('Save bank details');
    const changed = await screen.findByRole('alert');
    expect(changed.textContent).toContain('Ada Obi, 7777777777, Access Bank');
    expect(sent).toEqual([]);
    press('Save bank details');
    await waitFor(() => expect(toastTexts).toEqual(['Bank details saved']));
    expect(has.account).toEqual({ ...old, account_name: 'Ada N. Obi' });
  });

  it('are not called changed elsewhere where it was this form that changed them', async () => {
    open();
    await pressOnce('Change');
    type('Account number', '5555555555');
    type('Your password', 'coal-city');
    answers = 'lost';
    press('Save bank details');
    await isAnswered();
    answers = 'heard';
    type('Account number', '5555555556');
    press('Save bank details');
    await waitFor(() => expect(toastTexts.at(-1)).toBe('Bank details saved'));
    expect(has.account?.account_number).toBe('5555555556');
  });
});

describe('an address for letters whose answer was lost', () => {
  const sendCode = () => {
    type('E-mail address', asked.email);
    type('Your password', 'coal-city');
    press('Send code');
  };
  const ask = async () => {
    await pressOnce('Add an address');
    sendCode();
  };
  const confirm = async () => {
    await pressOnce('Type the code');
    type('Code', '123456');
    press('Confirm address');
  };

  it('is shown as confirmed where its code was taken', async () => {
    has = { ...has, letters: { ...nobody, asked } };
    open();
    await screen.findByRole('button', { name: 'Type the code' });
    answers = 'lost';
    await confirm();
    expect(await screen.findByRole('switch', { name: 'E-mails on' })).toBeTruthy();
    expect(screen.queryByLabelText('Code')).toBeNull();
    expect(document.activeElement?.textContent).toBe('E-mails');
  });

  it('is shown as confirmed where another page has sent its code', async () => {
    has = { ...has, letters: { ...nobody, asked } };
    open();
    const message = 'There is no code to type: ask for one first.';
    server.use(
      http.put('*/v1/user/letters/address', () => HttpResponse.json({ message }, { status: 409 })),
    );
    await pressOnce('Type the code');
    has = { ...has, letters: { email: asked.email, on: true, asked: null } };
    type('Code', '123456');
    press('Confirm address');
    expect(await screen.findByRole('switch', { name: 'E-mails on' })).toBeTruthy();
    expect(toastTexts).toEqual([message]);
  });

  it('is confirmed by the same request, also from a form that was opened again', async () => {
    has = { ...has, letters: { ...nobody, asked } };
    open();
    await screen.findByRole('button', { name: 'Type the code' });
    server.use(
      http.put(
        '*/v1/user/letters/address',
        ({ request }) => {
          sent.push({ key: request.headers.get('Idempotency-Key'), body: {} });
          return new HttpResponse(null, { status: 502 });
        },
        { once: true },
      ),
    );
    await confirm();
    await isAnswered();
    press('Later');
    await confirm();
    await waitFor(() => expect(toastTexts).toEqual([FAILED, 'E-mails are on']));
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  });

  it('is shown as asked where the form is left', async () => {
    await losesAnswer('Add an address', ask);
    press('Leave as it was');
    expect(await screen.findByText(/^A code was sent to/)).toBeTruthy();
  });

  it('is asked by one letter where Send code is pressed again', async () => {
    await losesAnswer('Add an address', ask);
    answers = 'heard';
    press('Send code');
    expect(await screen.findByLabelText('Code')).toBeTruthy();
    expect(sent).toHaveLength(2);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  });

  it.each(['Type the code', 'Remove address'])(
    'is asked by another letter once the panel has shown the lost one, and %s is pressed',
    async (then) => {
      await losesAnswer('Add an address', ask);
      answers = 'heard';
      press('Leave as it was');
      await pressOnce(then);
      if (then === 'Remove address') await screen.findByRole('button', { name: 'Add an address' });
      const [lost] = sent;
      await pressOnce(then === 'Remove address' ? 'Add an address' : 'Send a new code');
      sendCode();
      expect(await screen.findByLabelText('Code')).toBeTruthy();
      expect(sent.at(-1)?.body).toEqual(lost?.body);
      expect(sent.at(-1)?.key).not.toBe(lost?.key);
    },
  );

  it('is switched and removed as the market says', async () => {
    has = { ...has, letters: { email: asked.email, on: true, asked: null } };
    open();
    const pressed = await screen.findByRole('switch', { name: 'E-mails on' });
    answers = 'lost';
    pressed.focus();
    fireEvent.click(pressed);
    expect(await screen.findByRole('switch', { name: 'E-mails off' })).toBeTruthy();
    expect(document.activeElement?.textContent).toBe('E-mails');
    await pressOnce('Remove address');
    expect(await screen.findByRole('button', { name: 'Add an address' })).toBeTruthy();
  });

  it('is not shown as it was before, while nobody can know', async () => {
    expectErrors(/You are offline/);
    has = { ...has, letters: { email: asked.email, on: true, asked: null } };
    open();
    const turn = await screen.findByRole('switch', { name: 'E-mails on' });
    server.use(
      http.put('*/v1/user/letters', () => {
        answers = 'offline';
        return HttpResponse.error();
      }),
    );
    fireEvent.click(turn);
    expect(await screen.findByText('You are offline: your address did not load.')).toBeTruthy();
    expect(screen.queryByRole('switch')).toBeNull();
    answers = 'heard';
    press('Try again');
    expect(await screen.findByRole('switch', { name: 'E-mails on' })).toBeTruthy();
  });
});

describe('details whose answer was lost', () => {
  const rename = async () => {
    await pressOnce('edit details');
    type(/^Name/, 'Ifeanyi Okoro');
    press('Update Profile');
  };
  const name = () => screen.findByLabelText<HTMLInputElement>(/^Name/);

  it('are shown as they are now, once the form is left, also in the header', async () => {
    expectErrors(/The market cannot answer just now\. Try again/);
    await losesAnswer('edit details', rename);
    press('Leave as it was');
    await waitFor(async () => expect((await name()).value).toBe('Ifeanyi Okoro'));
    expect(currentUser()?.name).toBe('Ifeanyi Okoro');
  });

  it('are put back by whoever types again what was there before', async () => {
    expectErrors(/The market cannot answer just now\. Try again/);
    await losesAnswer('edit details', rename);
    answers = 'heard';
    type(/^Name/, String(me.name));
    press('Update Profile');
    await waitFor(() => expect(toastTexts.at(-1)).toBe('Profile updated successfully'));
    expect(has.me.name).toBe(me.name);
  });

  it('are not shown as they were before, while nobody can know', async () => {
    expectErrors(/You are offline/);
    open();
    await screen.findByRole('button', { name: 'edit details' });
    server.use(
      http.put('*/v1/user/update/s7', () => {
        answers = 'offline';
        return HttpResponse.error();
      }),
    );
    await rename();
    await isAnswered();
    expect((await name()).value).toBe('Ifeanyi Okoro');
    press('Leave as it was');
    expect(await screen.findByText('You are offline: your details did not load.')).toBeTruthy();
    expect(screen.queryByLabelText(/^Name/)).toBeNull();
    answers = 'heard';
    press('Try again');
    expect((await name()).value).toBe(me.name);
  });
});

describe('details that were typed and not saved yet', () => {
  const typePhone = async () => {
    await pressOnce('edit details');
    type(/^Phone/, '08034127765');
  };
  const phone = () => screen.findByLabelText<HTMLInputElement>(/^Phone/);

  it('are there after a login, beside what was changed elsewhere meanwhile', async () => {
    open();
    await typePhone();
    act(() => signOut());
    cleanup();
    has = { ...has, me: { ...me, name: 'Ifeanyi Okoro' } };
    signIn(aSeller(), 'token');
    open();
    expect((await phone()).value).toBe('08034127765');
    press('Update Profile');
    await waitFor(() => expect(toastTexts).toEqual(['Profile updated successfully']));
    const { name, businessName } = has.me;
    expect(sent.map(({ body }) => body)).toEqual([{ name, businessName, phone_1: '08034127765' }]);
    expect(sessionStorage).toHaveLength(0);
  });

  it('are no more unsaved ones while they are being saved, and again if that fails', async () => {
    expectErrors(/The market cannot answer just now\. Try again/);
    const answer = delayedAnswer(() => new HttpResponse(null, { status: 502 }));
    let isSent = false;
    server.use(
      http.put('*/v1/user/update/s7', () => {
        isSent = true;
        return answer.resolver();
      }),
    );
    open();
    await typePhone();
    press('Update Profile');
    await waitFor(() => expect(isSent).toBe(true));
    cleanup();
    open();
    expect((await phone()).readOnly).toBe(true);
    answer.release();
    await isAnswered();
    cleanup();
    open();
    expect((await phone()).value).toBe('08034127765');
  });

  it('open no form for a seller who is suspended by now', async () => {
    open();
    await typePhone();
    act(() => signOut());
    cleanup();
    signIn(aSeller({ is_suspended: 1 }), 'token');
    open();
    expect((await phone()).value).toBe(me.phone_1);
    expect((await phone()).readOnly).toBe(true);
    expect(screen.queryByRole('button', { name: 'Update Profile' })).toBeNull();
  });

  it.each(['leaves them as they were', 'is somebody else'])(
    'are gone for whoever %s',
    async (who) => {
      open();
      await typePhone();
      if (who === 'is somebody else') signIn(aSeller({ user_id: 's8' }), 'token');
      else press('Leave as it was');
      cleanup();
      open();
      expect((await phone()).value).toBe(me.phone_1);
      expect((await phone()).readOnly).toBe(true);
    },
  );
});

describe('bank details and an address that were typed and not sent yet', () => {
  const typeBoth = async () => {
    await pressOnce('Change');
    type('Account name', 'Adaeze Nwosu Ventures');
    type('Account number', '5555555555');
    type('Your password', 'coal-city');
    await pressOnce('Add an address');
    type('E-mail address', asked.email);
  };
  const value = async (label: string) =>
    (await screen.findByLabelText<HTMLInputElement>(label)).value;
  const comeBack = (change: object = {}) => {
    act(() => signOut());
    cleanup();
    signIn(aSeller(change), 'token');
    open();
  };
  const isAtRest = async () => {
    expect(await screen.findByText(old.account_number)).toBeTruthy();
    expect(screen.queryByLabelText('Account number')).toBeNull();
    expect(screen.queryByLabelText('E-mail address')).toBeNull();
  };

  it('are there after a login, without the password, and take no focus from the page', async () => {
    open();
    await typeBoth();
    comeBack();
    expect(await value('Account number')).toBe('5555555555');
    expect(await value('Account name')).toBe('Adaeze Nwosu Ventures');
    expect(await value('Bank')).toBe(has.account?.bank_code);
    expect(await value('E-mail address')).toBe(asked.email);
    for (const field of screen.getAllByLabelText<HTMLInputElement>('Your password'))
      expect(field.value).toBe('');
    expect(document.activeElement?.matches('input')).toBe(false);
  });

  it('say of a session that has ended that it has, and not that something went wrong', async () => {
    expectErrors(/That did not work\./);
    open();
    await typeBoth();
    const ended = () =>
      HttpResponse.json({ success: false, code: 'session_ended' }, { status: 401 });
    server.use(http.get('*/v1/user/payout-account', ended), http.get('*/v1/refresh-token', ended));
    press('Save bank details');
    await isAnswered();
    expect(currentUser()).toBeNull();
    expect(toastTexts).toEqual(['Your session has ended. Please log in again.']);
  });

  it('are kept no longer than until they are sent', async () => {
    open();
    await typeBoth();
    comeBack();
    const bank = within(await screen.findByRole('region', { name: 'Bank details' }));
    const password = await bank.findByLabelText('Your password');
    fireEvent.change(password, { target: { value: 'coal-city' } });
    press('Save bank details');
    await waitFor(() => expect(toastTexts).toEqual(['Bank details saved']));
    fireEvent.change(panel('E-mails').getByLabelText('Your password'), {
      target: { value: 'coal-city' },
    });
    press('Send code');
    await screen.findByLabelText('Code');
    expect(has.account?.account_number).toBe('5555555555');
    expect(sessionStorage).toHaveLength(0);
  });

  it('are gone for whoever leaves them as they were', async () => {
    open();
    await typeBoth();
    for (const name of ['Bank details', 'E-mails'])
      fireEvent.click(panel(name).getByRole('button', { name: 'Leave as it was' }));
    comeBack();
    await isAtRest();
  });

  it.each([{ user_id: 's8' }, { is_suspended: 1 as const }])(
    'open no form for another or a suspended seller: %j',
    async (change) => {
      open();
      await typeBoth();
      comeBack(change);
      await isAtRest();
    },
  );
});
