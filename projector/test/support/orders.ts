import {
  type ContactEvent,
  type TransactionCommand,
  type TransactionEvent,
  type TransactionState,
  transaction,
} from '@oja/domain';
import { hour, ORDER } from '../../../domain/test/orders.js';
import { recorded } from './shop.js';

/** Records the events of a new stream, all with the same time (ISO 8601). */
export function record(
  name: string,
  time: string,
  events: readonly (ContactEvent | TransactionEvent)[],
) {
  return events.map((event, i) => recordedAt(time, name, i, event));
}

/**
 * What these commands make of an order, as recorded in its stream at the time of each.
 * @throws Error for a command that is refused
 */
export function ordered(...commands: readonly TransactionCommand[]): ReturnType<typeof record> {
  let state: TransactionState = transaction.initial;
  const events = commands.flatMap((command) => {
    const decision = transaction.decide(command, state);
    if (!decision.ok) throw new Error(`refused: ${decision.refusal.message}`);
    state = decision.events.reduce(transaction.evolve, state);
    const time = 'at' in command ? command.at : hour(0.5);
    return decision.events.map((event) => ({ event, time }));
  });
  return events.map(({ event, time }, i) => recordedAt(time, `transaction-${ORDER}`, i, event));
}

function recordedAt(
  time: string,
  name: string,
  revision: number,
  { type, data }: ContactEvent | TransactionEvent,
) {
  const raw = recorded(name, revision, type, data);
  return { ...raw, metadata: { ...raw.metadata, time } };
}
