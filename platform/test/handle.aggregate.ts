import type { Aggregate, DomainEvent, JsonObject } from '@oja/platform';

export interface CounterEvent extends DomainEvent {
  readonly type: 'Counted';
  readonly data: { readonly by: number };
}

export type CounterCommand = {
  /** One event for each. */
  readonly add: readonly number[];
};

function parse(type: string, data: JsonObject): CounterEvent | null {
  if (type !== 'Counted') return null;
  if (typeof data.by !== 'number') throw new Error('Counted has no number');
  return { type, data: { by: data.by } };
}

/** Counts up to 100 and refuses to go beyond. */
export const counter: Aggregate<number, CounterCommand, CounterEvent, 'too many'> = {
  category: 'counter',
  schemaVersion: 3,
  initial: 0,
  evolve: (sum, { data }) => sum + data.by,
  decide(command, sum) {
    const added = command.add.reduce((a, b) => a + b, 0);
    if (sum + added > 100) return { ok: false, refusal: 'too many' };
    return { ok: true, events: command.add.map((by) => ({ type: 'Counted', data: { by } })) };
  },
  parse,
};
