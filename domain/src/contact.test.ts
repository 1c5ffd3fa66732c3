import { it } from 'vitest';
import { given } from '../test/given.js';
import { contact } from './contact.js';

const sealed = { sealed: 'x', subject: 'contact:c' };
const send = {
  type: 'SendMessage',
  contactId: 'c',
  name: sealed,
  email: sealed,
  subject: sealed,
  message: sealed,
  at: '2026-03-01T08:00:00.000Z',
} as const;

it('receives a message once', () => {
  given(contact).when(send).thenHappens('ContactMessageReceived');
  given(contact, send).when(send).thenRefused({ code: 'received' });
});
