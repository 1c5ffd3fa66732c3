import type { Position as ServerPosition } from '@eventstore/db-client';
import type { Position } from '../port.js';
import { numberOf, positionOf } from '../position.js';

/** The largest position the server can count to; whatever is named beyond it stands after every event. */
const lastPosition = 2n ** 63n - 1n;

/** A position as the server wants it: an event's commit and prepare position are the same. */
export function toServer(position: Position): ServerPosition {
  const number = numberOf(position);
  const at = number < lastPosition ? number : lastPosition;
  return { commit: at, prepare: at };
}

/**
 * An event's position as everybody else knows it; null for one that belongs to a transaction of the
 * server's old protocol, which Oja never writes: two numbers do not fit into one text.
 */
export function fromServer({ commit, prepare }: ServerPosition): Position | null {
  return commit === prepare ? positionOf(commit) : null;
}
