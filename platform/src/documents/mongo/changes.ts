import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { ensureTtlIndex } from '../../mongo/connection.js';
import { changesOf } from '../port.js';

/** Cannot clash with a collection of the port: their names have no dot. */
const signalsCollection = 'market.pulses';

/** Polling interval in milliseconds, for commits that no signal announces because their process died. */
const pollMs = 250;
/** Delay before the change stream of signals is reopened, in milliseconds. */
const reopenMs = 1_000;
/** How long the signal of a process that commits no more is kept, in seconds. */
const signalTtlSeconds = 3_600;

/** One small document per process, changed after each of its commits. */
interface CommitSignal {
  readonly _id: string;
  readonly count: number;
  readonly at: Date;
}

/**
 * How processes notice each other's commits: each changes its own document after a commit, and a process that
 * waits follows all of these in a change stream. A change stream of the documents themselves would send a whole
 * rebuild to every process.
 */
export interface CommitSignals {
  /** Creates the index that removes old ones; to be called once at the start. */
  prepare(): Promise<void>;
  /** Announces a commit: to this process at once, to others soon. */
  announce(): void;
  changes(signal: AbortSignal): AsyncIterable<void>;
  close(): Promise<void>;
}

export function createCommitSignals(db: Db): CommitSignals {
  const own = randomUUID();
  const signals = db.collection<CommitSignal>(signalsCollection);
  const listeners = new Set<() => void>();
  const closing = new AbortController();
  let isFollowing = false;
  let announcing: Promise<unknown> = Promise.resolve();
  let isDue = false;

  const notify = () => {
    for (const listener of [...listeners]) listener();
  };
  const polling = setInterval(notify, pollMs).unref();

  async function follow(): Promise<void> {
    while (!closing.signal.aborted) {
      const stream = signals.watch([{ $project: { _id: 1 } }], { maxAwaitTimeMS: 1_000 });
      const end = () => void stream.close().catch(() => undefined);
      closing.signal.addEventListener('abort', end);
      try {
        for await (const _ of stream) notify();
      } catch {
        // Polling goes on meanwhile.
      } finally {
        closing.signal.removeEventListener('abort', end);
        await stream.close().catch(() => undefined);
      }
      await wait(reopenMs, undefined, { signal: closing.signal, ref: false }).catch(
        () => undefined,
      );
    }
  }

  /** One update at a time; the next one announces all commits made meanwhile. */
  function announce(): void {
    notify();
    if (isDue) return;
    isDue = true;
    announcing = announcing
      .then(() => {
        isDue = false;
        return signals.updateOne(
          { _id: own },
          { $inc: { count: 1 }, $set: { at: new Date() } },
          { upsert: true },
        );
      })
      // The other processes poll as well.
      .catch(() => undefined);
  }

  function listen(listener: () => void): () => void {
    if (!isFollowing) void follow();
    isFollowing = true;
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  return {
    async prepare() {
      await ensureTtlIndex(signals, 'forgotten', 'at', signalTtlSeconds);
    },
    announce,
    changes: (signal) => changesOf(listen, signal),
    async close() {
      clearInterval(polling);
      closing.abort();
      // `follow` is not awaited: the server may hold back its reply. It ends with the client at the latest.
      await announcing;
    },
  };
}
