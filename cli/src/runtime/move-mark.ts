import type { StateEntry } from '@oja/platform';
import { configExit, failedExit } from '../terminal/exit.js';
import type { StateAndClock } from './log-identity.js';

/** A space of State, which all machines of a market share. It never moves along. */
export const MOVING_SPACE = 'moving';
const KEY = 'market';

/** How far a move out of, or into, this market has come. */
export type Move = {
  /** The id of the archive. */
  readonly id: string;
  readonly way: 'out' | 'in';
  /** When the move began, in ISO 8601. */
  readonly at: string;
  /** Whether the move is complete. */
  readonly done: boolean;
};

/** The entry of the current or last move; null when there was none, or the market was reopened. */
type MoveEntry = StateEntry<Move> | null;

export const readMoveEntry = ({ engines, clock }: StateAndClock): Promise<MoveEntry> =>
  engines.state.get<Move>(MOVING_SPACE, KEY, clock.now());

/** The current or last move. */
export const readMove = async (market: StateAndClock): Promise<Move | null> =>
  (await readMoveEntry(market))?.value ?? null;

/** The mark of a move under way. As long as it is set, nothing opens the market. */
interface MoveMark {
  /** @throws Exit 1 when another command has changed the last move since it was read. */
  set(): Promise<void>;
  /** @throws Exit 1 when another command has changed the mark, and with it decides about the market. */
  require(): Promise<void>;
  /** Says that the move is complete. @throws as `require` */
  complete(): Promise<void>;
  /** Puts back what was there before, if the mark was set and is still ours. */
  undo(): Promise<void>;
}

/**
 * The mark of a move that begins now. One that a killed move has left is taken over, and nobody can tell whether that
 * one was killed. So the move that set the mark last goes on, and every other one ends and changes nothing more.
 */
export function createMoveMark(
  market: StateAndClock,
  before: MoveEntry,
  begun: Omit<Move, 'done'>,
): MoveMark {
  const { engines, clock } = market;
  let version: number | null = null;
  const put = async (move: Move, over: number | undefined): Promise<number> => {
    const options = { if: over ?? 'absent' } as const;
    const written = await engines.state.put(MOVING_SPACE, KEY, move, clock.now(), options);
    if (written === null) throw overtakenExit();
    return written;
  };
  const own = (): number => {
    if (version === null) throw new Error('The mark was not set');
    return version;
  };
  return {
    async set() {
      version = await put({ ...begun, done: false }, before?.version);
    },
    async require() {
      if ((await readMoveEntry(market))?.version !== own()) throw overtakenExit();
    },
    async complete() {
      version = await put({ ...begun, done: true }, own());
    },
    async undo() {
      if (version === null) return;
      if (before === null) await engines.state.delete(MOVING_SPACE, KEY, version);
      else await engines.state.put(MOVING_SPACE, KEY, before.value, clock.now(), { if: version });
    },
  };
}

const overtakenExit = () =>
  failedExit(
    'Another command has moved or reopened this market meanwhile: what that one says counts, and this one did not finish.',
  );

/** Opens a market again that was moved out. @throws Exit 1 when another command has moved it since `move` was read. */
export async function deleteMove(
  { engines }: StateAndClock,
  move: StateEntry<Move>,
): Promise<void> {
  if (!(await engines.state.delete(MOVING_SPACE, KEY, move.version))) throw overtakenExit();
}

/** The message why the market is closed; null when it is open. */
function closedMessage({ way, at, done }: Move): string | null {
  if (way === 'in')
    return done
      ? null
      : 'A market is being moved in here and is not complete yet: run the same oja move in again.';
  return done
    ? `This market was moved out (${at}), and two copies would both pay and refund: open the market at its new place, or reopen this one with oja move reopen.`
    : `A move out of this market was begun (${at}) and not finished: run oja move out again, or undo it with oja move reopen.`;
}

/** Why a move keeps this market closed, and what to do about it, as one sentence; null when none does. */
export async function readClosedReason(context: StateAndClock): Promise<string | null> {
  const move = await readMove(context);
  return move && closedMessage(move);
}

/**
 * Why a market that is served must be closed: it was moved out while its process could not be found, because it was
 * suspended or cut off. Null otherwise: a move that has only begun looks for running processes, and stops if there are any.
 */
export async function readMovedOutReason(context: StateAndClock): Promise<string | null> {
  const move = await readMove(context);
  return move?.way === 'out' && move.done ? closedMessage(move) : null;
}

/** @throws Exit 78 for a market that was moved out, or whose move is not complete. */
export async function refuseMoved(context: StateAndClock): Promise<void> {
  const closed = await readClosedReason(context);
  if (closed !== null) throw configExit(closed);
}
