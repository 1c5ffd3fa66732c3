import { type Decision, decided, refused } from '../decider.js';
import { conflict } from '../refusal.js';
import type { ContactCommand } from './commands.js';
import type { ContactEvent } from './events.js';
import type { ContactState } from './evolve.js';

export function decideContact(
  command: ContactCommand,
  state: ContactState,
): Decision<ContactEvent> {
  if (state.status === 'received')
    return refused(conflict('received', 'This message has been received already'));
  const { type: _, ...data } = command;
  return decided({ type: 'ContactMessageReceived', data });
}
