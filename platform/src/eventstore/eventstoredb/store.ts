import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { throttleRepeats } from '../../logging/outages.js';
import { type EventStore, type Position, type RecordedEvent, StoreUnavailable } from '../port.js';
import { subscription } from '../subscription.js';
import { append } from './append.js';
import { Connection } from './connection.js';
import { RetryPolicy } from './failures.js';
import { type Head, type ReadDeps, readAll, readHead, readLast, readStream } from './read.js';
import { IDENTITY } from './recorded-event.js';
import { createSource } from './source.js';
import { Tail } from './tail.js';

const data = z.object({ logId: z.uuid() });

async function firstOf(events: AsyncIterable<RecordedEvent>): Promise<RecordedEvent | null> {
  for await (const event of events) return event;
  return null;
}

/** The id that the log has; null while nobody has written one. @throws StoreUnavailable */
async function knownId(store: Pick<EventStore, 'readStream'>): Promise<string | null> {
  const first = await firstOf(store.readStream(IDENTITY));
  return first === null ? null : data.parse(first.data).logId;
}

/**
 * The log's id, kept in the log so that a copy has the same one. The first caller writes it. If two write
 * at once, one append is refused and its caller reads the other's id.
 * @throws StoreUnavailable
 */
async function identify(store: Pick<EventStore, 'append' | 'readStream'>): Promise<string> {
  for (;;) {
    const known = await knownId(store);
    if (known !== null) return known;
    const id = randomUUID();
    await store.append(IDENTITY, 'no-stream', [
      {
        id,
        type: 'LogNamed',
        data: { logId: randomUUID() },
        metadata: {
          actor: 'operator',
          commandId: id,
          correlationId: id,
          causationId: id,
          time: new Date().toISOString(),
          schemaVersion: 1,
        },
      },
    ]);
  }
}

export interface EventStoreDbOptions {
  /** esdb://… or esdb+discover://…. It may hold a password and is never logged. */
  readonly url: string;
  /** For operators: called with one sentence about a problem that is being handled. */
  onTrouble?(what: string): void;
  readonly times?: Partial<Times>;
  /** For reading a server: a log without an id gets none, and its id is ''. Default: false. */
  readonly createsNothing?: boolean;
}

/** All in milliseconds. */
interface Times {
  /** How long opening the store waits for the server. */
  readonly opening: number;
  /** How long calls are retried while the server is away. */
  readonly retryMs: number;
  /** How long one append, or the next part of a read, may take. */
  readonly answer: number;
  readonly silence: number;
  readonly grace: number;
}

const defaults: Times = {
  opening: 30_000,
  retryMs: 10_000,
  answer: 5_000,
  silence: 15_000,
  grace: 5_000,
};

/** The log in EventStoreDB. @throws StoreUnavailable when the server does not answer within `times.opening`. */
export async function openEventStoreDb(options: EventStoreDbOptions): Promise<EventStore> {
  const times: Times = { ...defaults, ...options.times };
  const report = throttleRepeats((what: string) => options.onTrouble?.(what));
  const connection = new Connection(options.url);
  const { reader: client } = connection;
  const closing = new AbortController();
  const foreign = new Set<string>();

  const depsWith = (retries: RetryPolicy): ReadDeps => ({
    client,
    retries,
    silenceMs: times.answer,
    onForeign({ streamId, type }) {
      // Once per stream, and for ten streams at most: another program may write very many events.
      if (foreign.has(streamId) || foreign.size >= 10) return;
      foreign.add(streamId);
      report(`skipped an event that Oja has not written: ${type} in ${streamId}`);
    },
  });
  const retries = new RetryPolicy(times.retryMs, undefined, closing.signal);
  const reading = depsWith(retries);

  let known: Head | null = null;
  async function head(): Promise<Position | null> {
    known = await readHead(reading, known);
    return known.position;
  }

  const store = (of: ReadDeps): Pick<EventStore, 'append' | 'readStream'> => ({
    append: (stream, expected, events) =>
      append(
        { connection, retries: of.retries, timeoutMs: times.answer },
        stream,
        expected,
        events,
      ),
    readStream: (stream, { from = 0 } = {}) => readStream(of, stream, from),
  });

  const opening = store(depsWith(new RetryPolicy(times.opening)));
  const naming = options.createsNothing ? knownId(opening) : identify(opening);
  const logId = await naming.catch(async (error: unknown) => {
    await connection.dispose();
    if (!(error instanceof StoreUnavailable) || error.permanent) throw error;
    const seconds = Math.round(times.opening / 1000);
    throw new StoreUnavailable(
      'EventStoreDB',
      `EventStoreDB did not answer for ${seconds} s: ${error.message}`,
      false,
    );
  });

  const onResubscribe = (why: string) => report(`subscribed to the log again: ${why}`);
  const tail = new Tail({
    client,
    head,
    times: { silenceMs: times.silence, graceMs: times.grace },
    onForeign: reading.onForeign,
    onResubscribe,
  });
  const source = createSource({ reading, tail, closing: closing.signal, onResubscribe });

  return {
    logId: async () => logId ?? '',
    ...store(reading),
    readAll: ({ after, limit = Number.POSITIVE_INFINITY }) => readAll(reading, after, limit),
    readLast: (limit) => readLast(reading, limit),
    head,
    subscribe({ signal, ...wanted }) {
      return subscription(source, { ...wanted, signal: AbortSignal.any([signal, closing.signal]) });
    },
    async close() {
      closing.abort();
      await connection.dispose();
    },
  };
}
