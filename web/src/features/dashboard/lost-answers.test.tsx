import { fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { asked, me, noLetters, oldAccount, setUpAccount } from '../../../test/account.js';
import { expectErrors } from '../../../test/console.js';
import { currentUser } from '../../stores/session.js';

const { server, toastTexts, market, open, panel, press, pressOnce, type, isAnswered } =
  setUpAccount();

const elsewhere = { account_name: 'Ada Obi', account_number: '7777777777', bank_code: '044' };

/** Opens the page, and does what begins with this button. The market does it, and its answer does not come. */
async function losesAnswer(opener: string, act: () => Promise<void>): Promise<void> {
  open();
  await screen.findByRole('button', { name: opener });
  market.answers = 'lost';
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
    market.answers = 'lost';
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
        market.answers = 'offline';
        return HttpResponse.error();
      }),
    );
    press('Save bank details');
    await isAnswered();
    press('Leave as it was');
    expect(
      await bank().findByText('You are offline: your bank details did not load.'),
    ).toBeTruthy();
    expect(bank().queryByText(oldAccount.account_number)).toBeNull();
    market.answers = 'heard';
    press('Try again');
    expect(await bank().findByText(oldAccount.account_number)).toBeTruthy();
  });

  it('keep their form with what was typed', async () => {
    open();
    await typeAccount();
    market.answers = 'lost';
    press('Save bank details');
    await isAnswered();
    market.answers = 'heard';
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
    market.has = { ...market.has, account: elsewhere };
    press('Save bank details');
    const changed = await screen.findByRole('alert');
    expect(changed.textContent).toContain('Ada Obi, 7777777777, Access Bank');
    expect(market.sent).toEqual([]);
    press('Save bank details');
    await waitFor(() => expect(toastTexts).toEqual(['Bank details saved']));
    expect(market.has.account).toEqual({ ...oldAccount, account_name: 'Ada N. Obi' });
  });

  it('are not called changed elsewhere where it was this form that changed them', async () => {
    open();
    await pressOnce('Change');
    type('Account number', '5555555555');
    type('Your password', 'coal-city');
    market.answers = 'lost';
    press('Save bank details');
    await isAnswered();
    market.answers = 'heard';
    type('Account number', '5555555556');
    press('Save bank details');
    await waitFor(() => expect(toastTexts.at(-1)).toBe('Bank details saved'));
    expect(market.has.account?.account_number).toBe('5555555556');
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
    market.has = { ...market.has, letters: { ...noLetters, asked } };
    open();
    await screen.findByRole('button', { name: 'Type the code' });
    market.answers = 'lost';
    await confirm();
    expect(await screen.findByRole('button', { name: 'E-mails on' })).toBeTruthy();
    expect(screen.queryByLabelText('Code')).toBeNull();
    expect(document.activeElement?.textContent).toBe('E-mails');
  });

  it('is shown as confirmed where another page has sent its code', async () => {
    market.has = { ...market.has, letters: { ...noLetters, asked } };
    open();
    const message = 'There is no code to type: ask for one first.';
    server.use(
      http.put('*/v1/user/letters/address', () => HttpResponse.json({ message }, { status: 409 })),
    );
    await pressOnce('Type the code');
    market.has = { ...market.has, letters: { email: asked.email, on: true, asked: null } };
    type('Code', '123456');
    press('Confirm address');
    expect(await screen.findByRole('button', { name: 'E-mails on' })).toBeTruthy();
    expect(toastTexts).toEqual([message]);
  });

  it('is confirmed by the same request, also from a form that was opened again', async () => {
    market.has = { ...market.has, letters: { ...noLetters, asked } };
    open();
    await screen.findByRole('button', { name: 'Type the code' });
    server.use(
      http.put(
        '*/v1/user/letters/address',
        ({ request }) => {
          market.sent.push({ key: request.headers.get('Idempotency-Key'), body: {} });
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
    expect(new Set(market.sent.map(({ key }) => key)).size).toBe(1);
  });

  it('is shown as asked where the form is left', async () => {
    await losesAnswer('Add an address', ask);
    press('Leave as it was');
    expect(await screen.findByText(/^A code was sent to/)).toBeTruthy();
  });

  it('is asked by one letter where Send code is pressed again', async () => {
    await losesAnswer('Add an address', ask);
    market.answers = 'heard';
    press('Send code');
    expect(await screen.findByLabelText('Code')).toBeTruthy();
    expect(market.sent).toHaveLength(2);
    expect(new Set(market.sent.map(({ key }) => key)).size).toBe(1);
  });

  it.each(['Type the code', 'Remove address'])(
    'is asked by another letter once the panel has shown the lost one, and %s is pressed',
    async (then) => {
      await losesAnswer('Add an address', ask);
      market.answers = 'heard';
      press('Leave as it was');
      await pressOnce(then);
      if (then === 'Remove address') await screen.findByRole('button', { name: 'Add an address' });
      const [lost] = market.sent;
      await pressOnce(then === 'Remove address' ? 'Add an address' : 'Send a new code');
      sendCode();
      expect(await screen.findByLabelText('Code')).toBeTruthy();
      expect(market.sent.at(-1)?.body).toEqual(lost?.body);
      expect(market.sent.at(-1)?.key).not.toBe(lost?.key);
    },
  );

  it('is switched and removed as the market says', async () => {
    market.has = { ...market.has, letters: { email: asked.email, on: true, asked: null } };
    open();
    const pressed = await screen.findByRole('button', { name: 'E-mails on' });
    market.answers = 'lost';
    pressed.focus();
    fireEvent.click(pressed);
    expect(await screen.findByRole('button', { name: 'E-mails off' })).toBeTruthy();
    expect(document.activeElement?.textContent).toBe('E-mails');
    await pressOnce('Remove address');
    expect(await screen.findByRole('button', { name: 'Add an address' })).toBeTruthy();
  });

  it('is not shown as it was before, while nobody can know', async () => {
    expectErrors(/You are offline/);
    market.has = { ...market.has, letters: { email: asked.email, on: true, asked: null } };
    open();
    const turn = await screen.findByRole('button', { name: 'E-mails on' });
    server.use(
      http.put('*/v1/user/letters', () => {
        market.answers = 'offline';
        return HttpResponse.error();
      }),
    );
    fireEvent.click(turn);
    expect(await screen.findByText('You are offline: your address did not load.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^E-mails/ })).toBeNull();
    market.answers = 'heard';
    press('Try again');
    expect(await screen.findByRole('button', { name: 'E-mails on' })).toBeTruthy();
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
    market.answers = 'heard';
    type(/^Name/, String(me.name));
    press('Update Profile');
    await waitFor(() => expect(toastTexts.at(-1)).toBe('Profile updated successfully'));
    expect(market.has.me.name).toBe(me.name);
  });

  it('are not shown as they were before, while nobody can know', async () => {
    expectErrors(/You are offline/);
    open();
    await screen.findByRole('button', { name: 'edit details' });
    server.use(
      http.put('*/v1/user/update/s7', () => {
        market.answers = 'offline';
        return HttpResponse.error();
      }),
    );
    await rename();
    await isAnswered();
    expect((await name()).value).toBe('Ifeanyi Okoro');
    press('Leave as it was');
    expect(await screen.findByText('You are offline: your details did not load.')).toBeTruthy();
    expect(screen.queryByLabelText(/^Name/)).toBeNull();
    market.answers = 'heard';
    press('Try again');
    expect((await name()).value).toBe(me.name);
  });
});
