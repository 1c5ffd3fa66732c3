import { EventStoreDBClient } from '@eventstore/db-client';

/** How long a client for appends is kept before it may be replaced, in milliseconds. */
const RENEWAL_MS = 30_000;

/**
 * Two clients of one server. The client remembers for ever how its first question about the server's
 * abilities ended, and then fails each append for the same reason: so the one that appends can be
 * replaced, and the reader's subscriptions do not notice.
 */
export class Connection {
  readonly reader: EventStoreDBClient;
  #writer: EventStoreDBClient;
  #renewed = Number.NEGATIVE_INFINITY;

  constructor(private readonly url: string) {
    this.reader = EventStoreDBClient.connectionString(url);
    this.#writer = EventStoreDBClient.connectionString(url);
  }

  get writer(): EventStoreDBClient {
    return this.#writer;
  }

  /** Appends that are under way fail with an unknown outcome, and are repeated through the new one. */
  renewWriter(): void {
    const now = performance.now();
    if (now - this.#renewed < RENEWAL_MS) return;
    this.#renewed = now;
    const old = this.#writer;
    this.#writer = EventStoreDBClient.connectionString(this.url);
    void old.dispose();
  }

  async dispose(): Promise<void> {
    await Promise.all([this.reader.dispose(), this.#writer.dispose()]);
  }
}
