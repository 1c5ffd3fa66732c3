import { conflict, type Decider, refused } from '@oja/domain';
import type { DomainEvent } from '@oja/platform';
import { z } from 'zod';

export interface CounterEvent extends DomainEvent {
  readonly type: 'Counted';
  readonly data: { readonly by: number };
}

export type CounterCommand = {
  /** Each number becomes one event. */
  readonly add: readonly number[];
};

const counted = z.object({ by: z.number() });

export const tooMany = conflict('too_many', 'It counts up to 100');

/** Counts up to 100 and refuses to count further. */
export const counter: Decider<number, CounterCommand, CounterEvent> = {
  category: 'counter',
  schemaVersion: 3,
  initial: 0,
  evolve: (sum, { data }) => sum + data.by,
  decide(command, sum) {
    const added = command.add.reduce((a, b) => a + b, 0);
    if (sum + added > 100) return refused(tooMany);
    return { ok: true, events: command.add.map((by) => ({ type: 'Counted', data: { by } })) };
  },
  parse: (type, data) => (type === 'Counted' ? { type, data: counted.parse(data) } : null),
};
