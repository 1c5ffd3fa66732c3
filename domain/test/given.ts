import { expect } from 'vitest';
import type { Decider, Refusal } from '../src/decider.js';

type Event = { readonly type: string; readonly data: unknown };

/** The state that these events fold to. */
export const folded = <S, C, E extends Event>(decider: Decider<S, C, E>, events: readonly E[]): S =>
  events.reduce(decider.evolve, decider.initial);

/**
 * Tests one command. The `before` commands are carried out first, and none of them may be refused.
 *
 *     given(seller, register).when({ type: 'ToggleSuspension', actor }).thenHappens('SellerSuspended')
 */
export function given<S, C, E extends Event>(decider: Decider<S, C, E>, ...before: readonly C[]) {
  let state = decider.initial;
  for (const command of before) {
    const decision = decider.decide(command, state);
    if (!decision.ok) throw new Error(`a given command was refused: ${decision.refusal.code}`);
    state = decision.events.reduce(decider.evolve, state);
  }
  return {
    state,
    when(command: C) {
      const decision = decider.decide(command, state);
      return {
        /** Each expected event: its type, or its type with at least this data. */
        thenHappens(...expected: readonly (E['type'] | { type: E['type']; data: object })[]) {
          const events = expected.map((e) => (typeof e === 'string' ? { type: e } : e));
          expect(decision).toMatchObject({ ok: true, events });
        },
        thenNothing() {
          expect(decision).toEqual({ ok: true, events: [] });
        },
        thenRefused(refusal: Partial<Refusal>) {
          expect(decision).toMatchObject({ ok: false, refusal });
        },
      };
    },
  };
}
