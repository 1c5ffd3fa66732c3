import { call } from '../../../src/api/client.js';
import { personOf } from '../people.js';
import { at, type Row } from '../row.js';
import type { Stage } from '../stage.js';
import { count, failure, logIn, press, sentValue, sequence } from '../steps.js';

const login = at('/login');
const wrongPassword = async (stage: Stage) => {
  stage.answers('POST /v1/login', 401, failure('Business name or password is wrong'));
  await logIn(stage);
};
const asWho = (role: 'admin' | 'sub-admin') => async (stage: Stage) => {
  stage.answers('POST /v1/login', 200, {
    success: true,
    userDetails: personOf(role),
    accessToken: 'token',
  });
  await logIn(stage);
};

const NEW_PASSWORD = 'POST /v1/login/new-password';
const oneTime = async (stage: Stage) => {
  stage.answers('POST /v1/login', 403, { ...failure(), code: 'choose_password' });
  await logIn(stage);
};
const chosen = sequence(
  oneTime,
  (stage) => stage.type('New password', 'adire-and-indigo'),
  press('SAVE AND LOG IN'),
);

export const loginForm: readonly Row[] = [
  login('a field', 'Business Name', 'label'),
  login('a field', 'Password', 'label'),
  login('as it opens', 'LOG IN', 'button'),
  login('sign up pressed', '/register', 'address', press('sign up')),
  login('the logo pressed', '/', 'address', press('Oja, home')),
  login('its header', 0, count('[data-header-bar]')),
  login('an admin logs in', '/admin-dashboard', 'address', asWho('admin')),
  login('a sub-admin logs in', '/dashboard', 'address', asWho('sub-admin')),
  login('refused', 'Business name or password is wrong!!', 'alert', wrongPassword),
  login('refused', 'Error logging in', 'toast', wrongPassword),
  login(
    'what is sent',
    '{"businessName":"Coal City Footwear","password":"coal-city"}',
    sentValue('POST /v1/login'),
    logIn,
  ),
  login('a password for one time', 'CHOOSE A PASSWORD', 'heading', oneTime),
  login('a password for one time', 'LOG IN', 'absent', oneTime),
  login(
    'a password for one time: too short a new one',
    'minimum of 8 characters',
    'text',
    sequence(oneTime, (stage) => stage.type('New password', 'short'), press('SAVE AND LOG IN')),
  ),
  login(
    'a password for one time: what is sent',
    '{"businessName":"Coal City Footwear","password":"coal-city","new_password":"adire-and-indigo"}',
    sentValue(NEW_PASSWORD),
    chosen,
  ),
  login('a password for one time: a new one chosen', '/dashboard', 'address', chosen),
  login(
    'a password for one time: the new one refused',
    'many people use this password: choose another one',
    'text',
    (stage) => {
      stage.answers(NEW_PASSWORD, 400, {
        ...failure(),
        errors: { new_password: 'many people use this password: choose another one' },
      });
      return chosen(stage);
    },
  ),
  login('a password for one time: another failure', 'The market said no', 'alert', (stage) => {
    stage.answers(NEW_PASSWORD, 429, failure());
    return chosen(stage);
  }),
  login('an answer of status 399 is a success', '/dashboard', 'address', async (stage) => {
    stage.answers('POST /v1/login', 399, {
      success: true,
      userDetails: personOf('seller'),
      accessToken: 'token',
    });
    await logIn(stage);
  }),
  login('an answer of status 400 is none', 'The market said no!!', 'alert', async (stage) => {
    stage.answers('POST /v1/login', 400, failure());
    await logIn(stage);
  }),
  login('ms until a toast closes', 5_000, {
    measure: async (stage) => {
      await stage.settled();
      stage.answers('POST /v1/login', 401, failure());
      await stage.stopClock();
      await stage.press('LOG IN');
      return stage.msOfToast('Error logging in');
    },
  }),
  login('ms until a call is given up', 6_000_000, {
    measure: async (stage) => {
      await stage.settled();
      stage.holds('GET /v1/comments');
      await stage.stopClock();
      let over = false;
      void call('getComments').catch(() => {
        over = true;
      });
      await stage.pass(5_999_000);
      return 5_999_000 + (await stage.msUntil(() => over, 500, 5_000));
    },
  }),
];
