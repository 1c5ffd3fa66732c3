import type { Socket } from 'node:net';

/** Bytes that may wait in memory for their clients, of all connections together. */
const MOST_BYTES = 256 * 1024 * 1024;
/** How often they are counted, in milliseconds. */
const LOOK_EVERY_MS = 1_000;

export interface UntakenOptions {
  /** Default 256 MiB. */
  readonly mostBytes?: number;
  /** Default one second. */
  readonly lookEveryMs?: number;
}

interface Seen {
  /** How many bytes the system had taken from us for the client. */
  readonly taken: number;
  /** How many looks in a row this has been so. */
  readonly looks: number;
}

/**
 * Keeps answers that clients do not read from filling the memory: each connection holds its answer
 * until it is read or the connection has been idle for long, and one client may open thousands.
 * When all of them hold too much, connections are cut, first those that have stood still longest.
 * Returns a function that stops it.
 */
export function cutUntakenAnswers(
  sockets: ReadonlySet<Socket>,
  { mostBytes = MOST_BYTES, lookEveryMs = LOOK_EVERY_MS }: UntakenOptions = {},
): () => void {
  const seen = new WeakMap<Socket, Seen>();

  function look(): void {
    const holding = [...sockets]
      .filter(({ writableLength }) => writableLength > 0)
      .map((socket) => {
        const bytes = socket.writableLength;
        const taken = socket.bytesWritten - bytes;
        const before = seen.get(socket);
        const looks = before?.taken === taken ? before.looks + 1 : 0;
        seen.set(socket, { taken, looks });
        return { socket, bytes, looks };
      });
    let held = holding.reduce((sum, { bytes }) => sum + bytes, 0);
    if (held <= mostBytes) return;
    for (const { socket, bytes } of holding.sort(
      (one, other) => other.looks - one.looks || other.bytes - one.bytes,
    )) {
      if (held <= mostBytes) return;
      socket.destroy();
      held -= bytes;
    }
  }

  const looking = setInterval(look, lookEveryMs);
  looking.unref();
  return () => clearInterval(looking);
}
