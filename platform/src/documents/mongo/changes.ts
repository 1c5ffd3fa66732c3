import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { expireBy } from '../../mongo/connection.js';
import { changesTold } from '../writes.js';

/** The names of the port's collections have no dot. */
const pulsesName = 'market.pulses';

/** Between two looks of our own, in milliseconds, should nobody tell: a process died after its commit. */
const lookMs = 250;
/** Before the stream of pulses is asked for anew, in milliseconds. */
const reopenMs = 1_000;
/** After this a process that commits no more is forgotten, in seconds. */
const forgetAfter = 3_600;

/** One small document a process, changed at each of its commits. */
interface Pulse {
  readonly _id: string;
  readonly count: number;
  readonly at: Date;
}

/**
 * How processes hear of each other's commits: each changes its own pulse after a commit, and whoever
 * waits follows the pulses in a change stream. Following the documents themselves would send a whole
 * rebuild to everybody.
 */
export interface Pulses {
  /** To be called once at the start. */
  prepare(): Promise<void>;
  /** Tells everybody, others soon and this process at once. */
  beat(): void;
  changes(signal: AbortSignal): AsyncIterable<void>;
  close(): Promise<void>;
}

export function createPulses(db: Db): Pulses {
  const own = randomUUID();
  const pulses = db.collection<Pulse>(pulsesName);
  const listeners = new Set<() => void>();
  const closing = new AbortController();
  let isFollowing = false;
  let beating: Promise<unknown> = Promise.resolve();
  let isDue = false;

  const tell = () => {
    for (const listener of [...listeners]) listener();
  };
  const looking = setInterval(tell, lookMs).unref();

  async function follow(): Promise<void> {
    while (!closing.signal.aborted) {
      const stream = pulses.watch([{ $project: { _id: 1 } }], { maxAwaitTimeMS: 1_000 });
      const end = () => void stream.close().catch(() => undefined);
      closing.signal.addEventListener('abort', end);
      try {
        for await (const _ of stream) tell();
      } catch {
        // Looking goes on meanwhile.
      } finally {
        closing.signal.removeEventListener('abort', end);
        await stream.close().catch(() => undefined);
      }
      await wait(reopenMs, undefined, { signal: closing.signal, ref: false }).catch(
        () => undefined,
      );
    }
  }

  /** One at a time; what is committed meanwhile is told by the next one. */
  function beat(): void {
    tell();
    if (isDue) return;
    isDue = true;
    beating = beating
      .then(() => {
        isDue = false;
        return pulses.updateOne(
          { _id: own },
          { $inc: { count: 1 }, $set: { at: new Date() } },
          { upsert: true },
        );
      })
      // The others look for themselves.
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
      await expireBy(pulses, 'forgotten', 'at', forgetAfter);
    },
    beat,
    changes: (signal) => changesTold(listen, signal),
    async close() {
      clearInterval(looking);
      closing.abort();
      // What follows ends by itself, at the latest with the client: an answer that is held back is not waited for.
      await beating;
    },
  };
}
