import type { MovingClock } from './clock.js';
import type { Provider } from './provider.js';
import type { Random } from './random.js';
import { ROLES, type Role, type Roles } from './roles.js';

const SECOND_MS = 1_000;

/** Faults that occur while work is done. */
export interface Weather {
  /** Called after each piece of work; starts faults without waiting for them. */
  passedOne(): void;
  /**
   * Resolves once every fault has ended.
   * @throws the first unexpected failure
   */
  settled(): Promise<void>;
}

/**
 * Over `pieces` pieces of work each role is killed `killsEach` times, and the provider misbehaves
 * about every third time. After a kill the clock moves on, so that interrupted work counts as dead.
 */
export function createWeather(options: {
  readonly pieces: number;
  readonly killsEach: number;
  readonly roles: Roles;
  readonly provider: Provider;
  readonly clock: MovingClock;
  readonly random: Random;
}): Weather {
  const { pieces, killsEach, roles, provider, clock, random } = options;
  const victims: Role[] = ROLES.flatMap((role) => Array<Role>(killsEach).fill(role));
  const every = Math.max(1, Math.floor(pieces / (victims.length + 1)));
  const order = victims
    .map((role) => ({ role, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ role }) => role);
  const under: Promise<void>[] = [];
  let passed = 0;

  async function misbehave(): Promise<void> {
    switch (random.weighted({ limit: 4, lost: 4, refund: 2, transfer: 2, reversal: 1 })) {
      case 'limit':
        return provider.plan('rate-limit', { times: random.between(1, 3), retryAfterSeconds: 1 });
      case 'lost':
        return provider.plan('lost-answer', { times: random.between(1, 3) });
      case 'refund':
        return provider.plan('fail-refund');
      case 'transfer':
        return provider.plan('fail-transfer');
      case 'reversal':
        return provider.plan('reverse-transfer');
    }
  }

  return {
    passedOne() {
      passed += 1;
      clock.pass(random.between(0, 3) * SECOND_MS);
      if (random.chance(0.3)) under.push(misbehave());
      if (passed % every !== 0) return;
      const role = order.shift();
      if (role === undefined) return;
      under.push(
        roles.killAndRestart(role).then(() => clock.pass(random.between(20, 200) * SECOND_MS)),
      );
    },
    async settled() {
      await Promise.all(under);
    },
  };
}
