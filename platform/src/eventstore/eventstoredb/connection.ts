import { EventStoreDBClient } from '@eventstore/db-client';
import { ConcurrencyLimiter } from '../../concurrency-limiter.js';
import { NoAnswer, within } from './failures.js';

/**
 * Appends under way at once. The client queues what is beyond 15 behind its stream's buffer, and when the
 * connection breaks then, it rejects promises that nobody holds, which ends the process.
 */
const appendsAtOnce = 15;

/**
 * When an append that was never answered gives its lane back, in milliseconds: long after a connection
 * that is dead has been noticed, which answers all that the client still knows of.
 */
const lostAfterMs = 60_000;

/** How long a client for appends is kept before it may be replaced, in milliseconds. */
const renewalMs = 30_000;

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
    const { client, limiter, ready } = this.#writer;
    return limiter.run(async () => {
      await ready;
      return within(lostAfterMs, () => work(client));
    });
  }

  /** Those that have begun are waited for; the others are sent away, to be tried again. */
  renewWriter(): void {
    const now = performance.now();
    if (now - this.#renewed < renewalMs) return;
    this.#renewed = now;
    const { client, limiter } = this.#writer;
    this.#writer = this.#newWriter(limiter.idle().then(() => client.dispose()));
    limiter.refuseWaiting(new NoAnswer('the connection was given up'));
  }

  async dispose(): Promise<void> {
    await Promise.all([this.reader.dispose(), this.#writer.client.dispose()]);
  }
}
