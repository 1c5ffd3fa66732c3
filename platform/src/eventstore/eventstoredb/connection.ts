import { EventStoreDBClient } from '@eventstore/db-client';
import { NoAnswer } from './failures.js';
import { Lanes } from './lanes.js';

/**
 * Appends under way at once. The client queues what is beyond 15 behind its stream's buffer, and when the
 * connection breaks then, it rejects promises that nobody holds, which ends the process.
 */
const appendsAtOnce = 15;

/** How long a client for appends is kept before it may be replaced, in milliseconds. */
const renewalMs = 30_000;

interface Writer {
  readonly client: EventStoreDBClient;
  readonly lanes: Lanes;
}

/**
 * Two clients of one server. The one that appends may come to a state from which it does not recover: an
 * append that meets the end of its stream is never answered, and a failure to learn the server's
 * abilities is remembered for ever. So it can be replaced, and the reader's subscriptions do not notice.
 */
export class Connection {
  readonly reader: EventStoreDBClient;
  #writer: Writer;
  #renewed = Number.NEGATIVE_INFINITY;

  constructor(private readonly url: string) {
    this.reader = EventStoreDBClient.connectionString(url);
    this.#writer = this.#newWriter();
  }

  #newWriter(): Writer {
    const client = EventStoreDBClient.connectionString(this.url);
    return { client, lanes: new Lanes(appendsAtOnce) };
  }

  /** Does the work with the client that appends, when it is its turn. */
  write<T>(work: (client: EventStoreDBClient) => Promise<T>): Promise<T> {
    const { client, lanes } = this.#writer;
    return lanes.run(() => work(client));
  }

  /** Appends that are under way fail with an unknown outcome, and are repeated through the new one. */
  renewWriter(): void {
    const now = performance.now();
    if (now - this.#renewed < renewalMs) return;
    this.#renewed = now;
    const { client, lanes } = this.#writer;
    this.#writer = this.#newWriter();
    lanes.refuseWaiting(new NoAnswer('the connection was given up'));
    void client.dispose();
  }

  async dispose(): Promise<void> {
    await Promise.all([this.reader.dispose(), this.#writer.client.dispose()]);
  }
}
