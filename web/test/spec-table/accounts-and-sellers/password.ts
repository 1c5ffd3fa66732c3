import { at, type Row } from '../row.js';
import type { Stage } from '../stage.js';
import { asSeller, failure, press, sentValue, sequence } from '../steps.js';

const CHANGE = 'PUT /v1/user/password';
const ACCOUNT = 'PUT /v1/user/payout-account';
const page = at('/dashboard/profile/password', asSeller);
const profile = at('/dashboard/profile', asSeller);

const typed = (old: string, wanted: string) => async (stage: Stage) => {
  await stage.type('Old password', old);
  await stage.type('New password', wanted);
  await stage.press('Change password');
};
const change = typed('coal-city', 'adire-and-indigo');
const refused = (status: number, errors?: Readonly<Record<string, string>>) => (stage: Stage) => {
  stage.answers(CHANGE, status, { ...failure(), ...(errors && { errors }) });
  return change(stage);
};
const fillAccount = sequence(
  press('Add bank details'),
  (stage) => stage.type('Account name', 'Ifeanyi Eze'),
  (stage) => stage.type('Account number', '0123456789'),
  (stage) => stage.type('Bank', '058'),
  (stage) => stage.type('Your password', 'coal-city'),
  press('Save bank details'),
);

/** Changing the password, and being asked for it before bank details change. */
export const password: readonly Row[] = [
  profile(
    'Change password pressed',
    '/dashboard/profile/password',
    'address',
    press('Change password'),
  ),
  page('a field', 'Old password', 'label'),
  page('a field', 'New password', 'label'),
  page('nothing typed', 'please enter your old password', 'text', press('Change password')),
  page('nothing typed', 'minimum of 8 characters', 'text', press('Change password')),
  page(
    'the new one is the business name',
    'choose one that is not your name or business name',
    'text',
    typed('coal-city', 'coal city footwear'),
  ),
  page(
    'what is sent',
    '{"old_password":"coal-city","new_password":"adire-and-indigo"}',
    sentValue(CHANGE),
    change,
  ),
  page('changed', 'Password changed. Everywhere else you are logged out.', 'toast', change),
  page('changed', '/dashboard/profile', 'address', change),
  page(
    'the old one is wrong',
    'is not your password',
    'text',
    refused(400, { old_password: 'is not your password' }),
  ),
  page(
    'the new one is refused',
    'many people use this password: choose another one',
    'text',
    refused(400, { new_password: 'many people use this password: choose another one' }),
  ),
  page('another failure', 'The market said no', 'alert', refused(429)),
  page('Leave as it was pressed', '/dashboard/profile', 'address', press('Leave as it was')),
  profile(
    'bank details saved: the password that is sent',
    'coal-city',
    sentValue(ACCOUNT, 'password'),
    fillAccount,
  ),
  profile('bank details: the password is wrong', 'is not your password', 'text', (stage) => {
    stage.answers(ACCOUNT, 400, { ...failure(), errors: { password: 'is not your password' } });
    return fillAccount(stage);
  }),
  profile('the bank details cannot be read', 'Your bank details did not load.', 'alert', (stage) =>
    stage.answers('GET /v1/user/payout-account', 400, failure()),
  ),
];
