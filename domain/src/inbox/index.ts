import { decidingStrictly } from '../checkNew.js';
import { type Decider, parserOf } from '../decider.js';
import type { InboxCommand } from './commands.js';
import { decideInbox } from './decide.js';
import { type InboxEvent, inboxEvents } from './events.js';
import { evolveInbox, type InboxState, noInbox } from './evolve.js';

export type * from './commands.js';
export { type InboxEvent, inboxEvents } from './events.js';
export type { InboxState } from './evolve.js';

/** What a seller does with notices; the stream is named by the seller. */
export const inbox = {
  category: 'inbox',
  schemaVersion: 1,
  initial: noInbox,
  evolve: evolveInbox,
  decide: decidingStrictly(inboxEvents, decideInbox),
  parse: parserOf(inboxEvents),
} satisfies Decider<InboxState, InboxCommand, InboxEvent>;
