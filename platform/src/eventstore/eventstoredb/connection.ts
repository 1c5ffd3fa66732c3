import { setDefaultHighWaterMark } from 'node:stream';
import { EventStoreDBClient } from '@eventstore/db-client';
import { ConcurrencyLimiter } from '../../concurrency-limiter.js';
import { isLeaderUnknown, isUnexplained, NoAnswer, withTimeout } from './failures.js';

/**
 * Concurrent appends. The client queues what does not fit into its stream's buffer; if the connection
 * then breaks, it rejects promises without handlers, which ends the process. So the buffer must hold more
 * than this. The client takes its buffer size from the process-wide default.
 */
const maxConcurrentAppends = 128;
setDefaultHighWaterMark(true, 2 * maxConcurrentAppends);

/**
 * When an unanswered append frees its slot, in milliseconds. Long after a dead connection is noticed,
 * which settles every append that the client still knows of.
 */
const lostAfterMs = 60_000;

/** The least time between two replacements of the append client over unexplained failures, in milliseconds. */
const renewalMs = 30_000;

/** How long closing waits for the server, in milliseconds. */
const closeTimeoutMs = 1_000;

interface Writer {
  readonly client: EventStoreDBClient;
  readonly limiter: ConcurrencyLimiter;
  /** Resolves once the previous writer has ended. */
  readonly ready: Promise<void>;
}

/**
 * Two clients of one server: one reads, one appends. The append client caches a failed query for the
 * server's features and then fails every append for that reason. So it can be replaced, without
 * disturbing the reader.
 *
 * Two append clients must never work at the same time: all clients of a process share one table of
 * pending appends. The end of any stream empties it, and an answer without an entry there ends the
 * process.
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
    return { client, limiter: new ConcurrencyLimiter(maxConcurrentAppends), ready };
  }

  /**
   * Runs the work with the append client, at most 128 at a time.
   * @throws NoAnswer when the client is replaced before the work starts, or no answer comes for a minute.
   */
  write<T>(work: (client: EventStoreDBClient) => Promise<T>): Promise<T> {
    const writer = this.#writer;
    return writer.limiter.run(async () => {
      await writer.ready;
      try {
        return await withTimeout(lostAfterMs, () => work(writer.client));
      } catch (error) {
        this.#renewAfter(error, writer);
        throw error;
      }
    });
  }

  /**
   * Replaces a writer whose cached failure would make every append fail. Appends that have begun are
   * awaited; waiting ones are rejected, and their callers try again.
   */
  #renewAfter(error: unknown, failed: Writer): void {
    if (failed !== this.#writer) return;
    const now = performance.now();
    const isSpoiled =
      isLeaderUnknown(error) || (isUnexplained(error) && now - this.#renewed >= renewalMs);
    if (!isSpoiled) return;
    this.#renewed = now;
    const { client, limiter } = failed;
    // A silent server could keep the old client from ending. A minute without appends is enough.
    const ended = async () =>
      withTimeout(lostAfterMs, () => client.dispose()).catch(() => undefined);
    this.#writer = this.#newWriter(limiter.idle().then(ended));
    limiter.refuseWaiting(new NoAnswer('the connection was given up'));
  }

  /** Waits at most a second, although the client itself would wait for a silent server. */
  async dispose(): Promise<void> {
    const clients = [this.reader, this.#writer.client];
    await withTimeout(closeTimeoutMs, async () => {
      await Promise.all(clients.map((client) => client.dispose()));
    }).catch((error: unknown) => {
      if (!(error instanceof NoAnswer)) throw error;
    });
  }
}
