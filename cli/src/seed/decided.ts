import type { Aggregate, DomainEvent } from '@oja/platform';

/**
 * What these commands make of an instance that was not there: samples go through the same rules as
 * anything a person does. @throws where a rule refuses one: the generator made something impossible.
 */
export function decidedOf<S, C, E extends DomainEvent, R>(
  aggregate: Aggregate<S, C, E, R>,
  commands: readonly C[],
): readonly E[] {
  let state = aggregate.initial;
  const events: E[] = [];
  for (const command of commands) {
    const decision = aggregate.decide(command, state);
    if (!decision.ok) throw new Error(`a sample was refused: ${JSON.stringify(decision.refusal)}`);
    for (const event of decision.events) {
      state = aggregate.evolve(state, event);
      events.push(event);
    }
  }
  return events;
}
