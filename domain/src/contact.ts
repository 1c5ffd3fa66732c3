import { z } from 'zod';
import {
  aggregate,
  conflict,
  type Decision,
  decided,
  type EventOf,
  id,
  instant,
  refused,
  sealed,
} from './decider.js';

/** The personal values are sealed under `contact:<id>`. */
export const contactEvents = {
  ContactMessageReceived: z.object({
    contactId: id,
    name: sealed,
    email: sealed,
    subject: sealed,
    message: sealed,
    at: instant,
  }),
};
export type ContactEvent = EventOf<typeof contactEvents>;

type ContactCommand = ContactEvent['data'] & { readonly type: 'SendMessage' };

type ContactState = { readonly status: 'none' | 'received' };
const noContact: ContactState = { status: 'none' };

function evolveContact(_: ContactState, event: ContactEvent): ContactState {
  switch (event.type) {
    case 'ContactMessageReceived':
      return { status: 'received' };
  }
}

function decideContact(command: ContactCommand, state: ContactState): Decision<ContactEvent> {
  if (state.status === 'received')
    return refused(conflict('received', 'This message has been received already'));
  const { type: _, ...data } = command;
  return decided({ type: 'ContactMessageReceived', data });
}

/** A visitor's message to the market's support. */
export const contact = aggregate('contact', contactEvents, {
  initial: noContact,
  evolve: evolveContact,
  decide: decideContact,
});
