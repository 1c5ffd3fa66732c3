import type { Clock, Engines } from '@oja/platform';
import { configExit } from '../terminal/exit.js';

/** A space of State, which all machines of a market share. It never moves along. */
export const MOVING_SPACE = 'moving';
const KEY = 'market';

/** How far a move out of, or into, this market has come. */
export type Moving = {
  /** The id of the archive. */
  readonly id: string;
  readonly way: 'out' | 'in';
  /** When the move began, in ISO 8601. */
  readonly at: string;
  /** Whether the move is complete. */
  readonly done: boolean;
};

type Stands = { readonly engines: Pick<Engines, 'state'>; readonly clock: Clock };

/** The current or last move; null when there was none, or the market was reopened. */
export async function movingOf({ engines, clock }: Stands): Promise<Moving | null> {
  return (await engines.state.get<Moving>(MOVING_SPACE, KEY, clock.now()))?.value ?? null;
}

export async function setMoving({ engines, clock }: Stands, moving: Moving): Promise<void> {
  await engines.state.put(MOVING_SPACE, KEY, moving, clock.now());
}

/** Opens a market again that was moved out. */
export async function forgetMoving({ engines }: Stands): Promise<void> {
  await engines.state.delete(MOVING_SPACE, KEY);
}

/** The message why the market is closed; null when it is open. */
function closedFor({ way, at, done }: Moving): string | null {
  if (way === 'in')
    return done
      ? null
      : 'A market is being moved in here and is not complete yet: run the same oja move in again.';
  return done
    ? `This market was moved out (${at}), and two copies would both pay and refund: open the market at its new place, or reopen this one with oja move reopen.`
    : `A move out of this market was begun (${at}) and not finished: run oja move out again, or undo it with oja move reopen.`;
}

/** Why a move keeps this market closed, in a sentence with the way on; null when none does. */
export async function whyClosed(context: Stands): Promise<string | null> {
  const moving = await movingOf(context);
  return moving && closedFor(moving);
}

/** @throws Exit 78 for a market that was moved out, or whose move is not complete. */
export async function refuseMoved(context: Stands): Promise<void> {
  const closed = await whyClosed(context);
  if (closed !== null) throw configExit(closed);
}
