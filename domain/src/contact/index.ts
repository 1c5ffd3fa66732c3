import { decidingStrictly } from '../checkNew.js';
import { type Decider, parserOf } from '../decider.js';
import type { ContactCommand } from './commands.js';
import { decideContact } from './decide.js';
import { type ContactEvent, contactEvents } from './events.js';
import { type ContactState, evolveContact, noContact } from './evolve.js';

export type * from './commands.js';
export { type ContactEvent, contactEvents } from './events.js';
export type { ContactState } from './evolve.js';

/** A message to the people who run Oja. */
export const contact = {
  category: 'contact',
  schemaVersion: 1,
  initial: noContact,
  evolve: evolveContact,
  decide: decidingStrictly(contactEvents, decideContact),
  parse: parserOf(contactEvents),
} satisfies Decider<ContactState, ContactCommand, ContactEvent>;
