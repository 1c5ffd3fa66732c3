import { at, type Row } from '../row.js';
import type { Stage } from '../stage.js';
import { asSeller, callCount, failure, press, sentValue, sequence } from '../steps.js';

const LETTERS = 'GET /v1/user/letters';
const ASK = 'POST /v1/user/letters/address';
const CONFIRM = 'PUT /v1/user/letters/address';
const REMOVE = 'DELETE /v1/user/letters/address';
const SWITCH = 'PUT /v1/user/letters';
const page = at('/dashboard/profile', asSeller);

const asked = { email: 'ifeanyi@example.com', ends_at: '2026-11-21T10:30:00.000Z' };
const stands = (change: object) => (stage: Stage) =>
  stage.answers(LETTERS, 200, { success: true, email: null, on: false, asked: null, ...change });
const waiting = stands({ asked });
const confirmed = stands({ email: asked.email, on: true });
const off = stands({ email: asked.email, on: false });

const sendCode = sequence(
  press('Add an address'),
  (stage) => stage.type('E-mail address', ` ${asked.email} `),
  (stage) => stage.type('Your password', 'coal-city'),
  press('Send code'),
);
const refusedCode = (status: number, errors?: Readonly<Record<string, string>>) =>
  sequence((stage) => {
    stage.answers(ASK, status, { ...failure(), ...(errors && { errors }) });
  }, sendCode);
const typeCode = sequence(
  waiting,
  press('Type the code'),
  (stage) => stage.type('Code', '123 456'),
  press('Confirm address'),
);

/** An e-mail address for letters: added, confirmed by its code, switched on and off, and removed. */
export const letters: readonly Row[] = [
  page('letters, none yet', 'E-mails', 'heading'),
  page('letters, none yet', /^Oja writes to you when your money is released, disputed, paid out/),
  page('letters, none yet', 'Add an address', 'button'),
  page('letters, none yet', 'Remove address', 'absent'),
  page('Add an address pressed', 'E-mail address', 'label', press('Add an address')),
  page('Add an address pressed', 'Your password', 'label', press('Add an address')),
  page('Send code: the address that is sent', asked.email, sentValue(ASK, 'email'), sendCode),
  page('Send code: the password that is sent', 'coal-city', sentValue(ASK, 'password'), sendCode),
  page('Send code pressed', 'Code', 'label', sendCode),
  page(
    'Send code: the password is wrong',
    'is not your password',
    'text',
    refusedCode(400, { password: 'is not your password' }),
  ),
  page('Send code: too often', 'The market said no', 'toast', refusedCode(429)),
  page('a code was sent', /^A code was sent to ifeanyi@example.com/, 'text', waiting),
  page('a code was sent', 'Type the code', 'button', waiting),
  page(
    'the code is typed: until when',
    /is good until 11:30, Lagos time/,
    'text',
    sequence(waiting, press('Type the code')),
  ),
  page('the code is typed: what is sent', '123456', sentValue(CONFIRM, 'code'), typeCode),
  page('the code is right', 'E-mails are on', 'toast', typeCode),
  page(
    'the code is wrong',
    'This is not the code of the letter. 4 tries left.',
    'text',
    sequence((stage) => {
      const code = 'This is not the code of the letter. 4 tries left.';
      stage.answers(CONFIRM, 400, { ...failure(code), errors: { code } });
    }, typeCode),
  ),
  page(
    'a new code is wanted',
    'E-mail address',
    'label',
    sequence(waiting, press('Type the code', 'Send a new code')),
  ),
  page('confirmed', asked.email, 'text', confirmed),
  page('confirmed', 'E-mails on', 'button', confirmed),
  page('confirmed', 'Change address', 'button', confirmed),
  page(
    'switched off: what is sent',
    '{"on":false}',
    sentValue(SWITCH),
    sequence(confirmed, press('E-mails on')),
  ),
  page('off', 'E-mails off', 'button', off),
  page(
    'Remove address pressed',
    1,
    callCount(REMOVE),
    sequence(confirmed, press('Remove address')),
  ),
  page('the address cannot be read', 'Your address did not load.', 'alert', (stage) =>
    stage.answers(LETTERS, 400, failure()),
  ),
];
