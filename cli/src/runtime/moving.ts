import type { Clock, Engines } from '@oja/platform';
import { configExit } from '../terminal/exit.js';

/** In State: it is the same for all machines of a market. Never moved itself. */
export const MOVING_SPACE = 'moving';
const KEY = 'market';

/** That a market is being taken elsewhere, was taken, or is being brought in. */
export type Moving = {
  /** Of the archive. */
  readonly id: string;
  readonly way: 'out' | 'in';
  /** ISO 8601: when it was begun. */
  readonly at: string;
  /** Whether it has come to its end. */
  readonly done: boolean;
};

type Stands = { readonly engines: Pick<Engines, 'state'>; readonly clock: Clock };

/** Null for a market that has always been here. */
export async function movingOf({ engines, clock }: Stands): Promise<Moving | null> {
  return (await engines.state.get<Moving>(MOVING_SPACE, KEY, clock.now()))?.value ?? null;
}

export async function setMoving({ engines, clock }: Stands, moving: Moving): Promise<void> {
  await engines.state.put(MOVING_SPACE, KEY, moving, clock.now());
}

/** Opens a market again that was taken elsewhere. */
export async function forgetMoving({ engines }: Stands): Promise<void> {
  await engines.state.delete(MOVING_SPACE, KEY);
}

/** Why the market is closed; null: it is open. */
function closedFor({ way, at, done }: Moving): string | null {
  if (way === 'in')
    return done
      ? null
      : 'A market is being moved in here and is not whole yet: run the same oja move in again.';
  return done
    ? `This market was moved out (${at}), and two of it would both pay and refund: open the one it was moved to, or this one again with oja move reopen.`
    : `A move out of this market was begun (${at}) and not finished: run oja move out again, or take it back with oja move reopen.`;
}

/** @throws Exit 78 for a market that was taken elsewhere, or is not all here yet. */
export async function refuseMoved(context: Stands): Promise<void> {
  const moving = await movingOf(context);
  const closed = moving && closedFor(moving);
  if (closed) throw configExit(closed);
}
