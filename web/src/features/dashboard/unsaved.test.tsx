import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { asked, me, oldAccount, setUpAccount } from '../../../test/account.js';
import { expectErrors } from '../../../test/console.js';
import { delayedAnswer } from '../../../test/delayed.js';
import { aSeller } from '../../../test/sellers.js';
import { currentUser, signIn, signOut } from '../../stores/session.js';

const { server, toastTexts, market, open, panel, press, pressOnce, type, isAnswered } =
  setUpAccount();

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
    market.has = { ...market.has, me: { ...me, name: 'Ifeanyi Okoro' } };
    signIn(aSeller(), 'token');
    open();
    expect((await phone()).value).toBe('08034127765');
    press('Update Profile');
    await waitFor(() => expect(toastTexts).toEqual(['Profile updated successfully']));
    const { name, businessName } = market.has.me;
    expect(market.sent.map(({ body }) => body)).toEqual([
      { name, businessName, phone_1: '08034127765' },
    ]);
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
    expect(await screen.findByText(oldAccount.account_number)).toBeTruthy();
    expect(screen.queryByLabelText('Account number')).toBeNull();
    expect(screen.queryByLabelText('E-mail address')).toBeNull();
  };

  it('are there after a login, without the password, and take no focus from the page', async () => {
    open();
    await typeBoth();
    comeBack();
    expect(await value('Account number')).toBe('5555555555');
    expect(await value('Account name')).toBe('Adaeze Nwosu Ventures');
    expect(await value('Bank')).toBe(market.has.account?.bank_code);
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
    expect(market.has.account?.account_number).toBe('5555555555');
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
