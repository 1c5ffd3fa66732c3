import { setDefaultHighWaterMark } from 'node:stream';
import { EventStoreDBClient } from '@eventstore/db-client';
import { ConcurrencyLimiter } from '../../concurrency-limiter.js';
import { isUndiscovered, isUnexplained, NoAnswer, within } from './failures.js';

/**
 * Appends under way at once. The client queues what its stream's buffer does not hold, and when the connection breaks
 * then, it rejects promises that nobody holds, which ends the process. So the buffer holds more than there can be:
 * the client takes its size from the process's default.
 */
const appendsAtOnce = 128;
setDefaultHighWaterMark(true, 2 * appendsAtOnce);

/**
 * When an append that was never answered gives its lane back, in milliseconds: long after a connection
 * that is dead has been noticed, which answers all that the client still knows of.
 */
const lostAfterMs = 60_000;

/** How long a client for appends is kept before a failure without a reason may replace it, in milliseconds. */
const renewalMs = 30_000;

/** How long closing waits for the server, in milliseconds. */
const goodbyeMs = 1_000;

interface Writer {
  readonly client: EventStoreDBClient;
  readonly limiter: ConcurrencyLimiter;
  /** Once the one before it has ended. */
  readonly ready: Promise<void>;
}

/**
 * Two clients of one server. The one that appends remembers for ever how its question about the server's
 * abilities failed, and fails each append for the same reason. So it can be replaced, and the reader's
 * subscriptions do not notice.
 *
 * Never do two of them append at a time: all clients of a process share one table of appends under way,
 * which the end of any stream empties, and an answer that finds no entry there ends the process.
 */
export class Connection {
  readonly reader: EventStoreDBClient;
  #writer: Writer;
  #renewed = Number.NEGATIVE_INFINITY;

  constructor(private readonly url: string) {
    this.reader = EventStoreDBClient.connectionString(url);
    this.#writer = this.#newWriter(Promise.resolve());
  }

  #newWriter(ready: Promise<void>): Writer {
    const client = EventStoreDBClient.connectionString(this.url);
    return { client, limiter: new ConcurrencyLimiter(appendsAtOnce), ready };
  }

  /** Does the work with the client that appends, when it is its turn. */
  write<T>(work: (client: EventStoreDBClient) => Promise<T>): Promise<T> {
    const writer = this.#writer;
    return writer.limiter.run(async () => {
      await writer.ready;
      try {
        return await within(lostAfterMs, () => work(writer.client));
      } catch (error) {
        this.#renewAfter(error, writer);
        throw error;
      }
    });
  }

  /**
   * Replaces a writer that would fail again for what it remembers. Those that have begun are waited for; the others
   * are sent away, to be tried again.
   */
  #renewAfter(error: unknown, failed: Writer): void {
    if (failed !== this.#writer) return;
    const now = performance.now();
    const isSpoiled =
      isUndiscovered(error) || (isUnexplained(error) && now - this.#renewed >= renewalMs);
    if (!isSpoiled) return;
    this.#renewed = now;
    const { client, limiter } = failed;
    this.#writer = this.#newWriter(limiter.idle().then(() => client.dispose()));
    limiter.refuseWaiting(new NoAnswer('the connection was given up'));
  }

  /** The client waits for a server that answers nothing; nobody else does. */
  async dispose(): Promise<void> {
    const clients = [this.reader, this.#writer.client];
    await within(goodbyeMs, async () => {
      await Promise.all(clients.map((client) => client.dispose()));
    }).catch((error: unknown) => {
      if (!(error instanceof NoAnswer)) throw error;
    });
  }
}
