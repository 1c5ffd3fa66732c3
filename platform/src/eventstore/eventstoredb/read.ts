import type { Readable } from 'node:stream';
import {
  type AllStreamResolvedEvent,
  BACKWARDS,
  END,
  type EventStoreDBClient,
  type ReadAllOptions,
  type ReadPosition,
  type ResolvedEvent,
  START,
  type StreamingRead,
} from '@eventstore/db-client';
import type { Position, RecordedEvent, Revision, StreamName } from '../port.js';
import { describeError, isUnexplained, NoAnswer, type RetryPolicy, typeOf } from './failures.js';
import { isSystem, parsed, toServer } from './recorded-event.js';

/**
 * Pulls the items of a client's stream one at a time, no faster than requested. These streams report an
 * error without ending, so the listeners stay as long as the stream.
 */
export class StreamPuller<T> {
  #taken = 0;
  #ended = false;
  #failure: { readonly error: unknown } | null = null;
  #isNews = false;
  #release: (() => void) | null = null;

  constructor(private readonly stream: Readable) {
    const end = () => {
      this.#ended = true;
      this.wake();
    };
    stream.on('readable', () => this.wake());
    stream.on('end', end);
    stream.on('close', end);
    stream.on('error', (error: unknown) => {
      this.#failure ??= { error };
      end();
    });
  }

  /** How many items were handed out. */
  get taken(): number {
    return this.#taken;
  }

  /** How many items have arrived, handed out or not. */
  get received(): number {
    return this.#taken + this.stream.readableLength;
  }

  /** The next item, or null while there is none. */
  take(): T | null {
    const item: T | null = this.stream.read();
    if (item !== null) this.#taken += 1;
    return item;
  }

  /** Whether the stream has ended. @throws the error that ended it, if one did. */
  isOver(): boolean {
    if (this.#failure) throw this.#failure.error;
    return this.#ended;
  }

  /** Wakes the waiting caller. */
  wake(): void {
    this.#isNews = true;
    this.#release?.();
  }

  /** Waits until something happens, or for `ms` milliseconds at most. */
  async wait(ms: number): Promise<'news' | 'silence'> {
    if (!this.#isNews) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#release = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#release = null;
    }
    const outcome = this.#isNews ? 'news' : 'silence';
    this.#isNews = false;
    return outcome;
  }
}

/** How many events the client buffers. Each may be as large as an append. */
export const readAhead = { highWaterMark: 128 };

export interface ReadDeps {
  readonly client: EventStoreDBClient;
  readonly retries: RetryPolicy;
  /** How long the server may be silent in the middle of a read, in milliseconds. */
  readonly silenceMs: number;
  /** Called for each skipped event that Oja did not write. */
  onForeign(event: { readonly streamId: string; readonly type: string }): void;
}

/** Yields all items of a read. Leaving the loop early also cancels the read on the server. */
async function* readItems<T>(
  read: StreamingRead<T> & Readable,
  silenceMs: number,
): AsyncGenerator<T, void, void> {
  const puller = new StreamPuller<T>(read);
  try {
    for (;;) {
      const item = puller.take();
      if (item !== null) yield item;
      else if (puller.isOver()) return;
      else if ((await puller.wait(silenceMs)) === 'silence')
        throw new NoAnswer(`no event within ${silenceMs} ms`);
    }
  } finally {
    read.cancel().catch(() => undefined);
  }
}

/** Restarts the read where it broke off, for as long as the retry policy allows. */
async function* withResume<T>(
  retries: RetryPolicy,
  what: string,
  begin: () => AsyncIterable<T>,
): AsyncGenerator<T, void, void> {
  for (let attempt = 0; ; ) {
    try {
      for await (const item of begin()) {
        attempt = 0;
        retries.worked();
        yield item;
      }
      retries.worked();
      return;
    } catch (error) {
      await retries.afterFailure(what, error, attempt);
      attempt += 1;
    }
  }
}

export interface StreamDeps extends Pick<ReadDeps, 'retries' | 'silenceMs'> {
  readonly client: Pick<EventStoreDBClient, 'readStream'>;
}

/**
 * The events of one stream from a revision on. The leader is asked: a follower may lag, and where a command is refused
 * because of what is read, nothing is appended that could meet a conflict. After a follower's refusal, the client
 * connects to the leader.
 * @throws StoreUnavailable; Error for an event that Oja did not write.
 */
export function readStream(
  { client, retries, silenceMs }: StreamDeps,
  stream: StreamName,
  from: Revision,
): AsyncGenerator<RecordedEvent, void, void> {
  let next = BigInt(from);
  return withResume(retries, `read ${stream}`, async function* () {
    const options = { fromRevision: next, requiresLeader: true };
    const read = client.readStream(stream, options, readAhead);
    try {
      for await (const { event } of readItems<ResolvedEvent>(read, silenceMs)) {
        if (event === undefined) continue;
        const recorded = parsed(event);
        // Skipping the event would make decisions as if it had not happened.
        if (recorded === null)
          throw new Error(`Oja has not written event ${event.revision} of the stream ${stream}`);
        yield recorded;
        next = event.revision + 1n;
      }
    } catch (error) {
      if (typeOf(error) !== 'stream-not-found') throw error;
    }
  });
}

/** The smallest page, in records: some of them may be the server's own. */
const minPageRecords = 32;

/** The current place of a read of the log; it moves with each record. */
interface ReadCursor {
  at: ReadPosition;
}

type PagingOptions = Pick<ReadAllOptions, 'direction' | 'requiresLeader'> & {
  /** Size of the first page, in records; each further page is four times as large. Omitted: no paging. */
  readonly page?: number;
};

/**
 * Yields the records of the log from a place on. Pages are used where few records are wanted, because the
 * server would keep sending until it gets the cancellation.
 */
async function* recordsFrom(
  { client, silenceMs }: Pick<HeadDeps, 'client' | 'silenceMs'>,
  cursor: ReadCursor,
  { page: first, ...options }: PagingOptions,
): AsyncGenerator<AllStreamResolvedEvent, void, void> {
  for (let page = first; ; page = page && page * 4) {
    let many = 0;
    const maxCount = page === undefined ? {} : { maxCount: page };
    const read = client.readAll({ ...options, ...maxCount, fromPosition: cursor.at }, readAhead);
    for await (const record of readItems<AllStreamResolvedEvent>(read, silenceMs)) {
      many += 1;
      cursor.at = record.event?.position ?? cursor.at;
      yield record;
    }
    if (page === undefined || many < page) return;
  }
}

/** The error by which the server says (among other things) that no record stands at a place. */
const isNoRecordAtPosition = (error: unknown): boolean =>
  isUnexplained(error) && /ReadAllResult: Error/.test(describeError(error));

/** Which node of a cluster is read: only the leader is known to have everything that was acknowledged. */
type Node = 'leader' | 'any';

/**
 * The events of the whole log after a position, at most `limit`. The server can start only at one of its
 * own records; for a position that is none, the log is read from its beginning.
 * @throws StoreUnavailable
 */
export function readAll(
  deps: ReadDeps,
  after: Position | null,
  limit: number,
  node: Node = 'leader',
): AsyncGenerator<RecordedEvent, void, void> {
  const { retries, onForeign } = deps;
  const cursor: ReadCursor = { at: after === null ? START : toServer(after) };
  const paging: PagingOptions = {
    requiresLeader: node === 'leader',
    ...(Number.isFinite(limit) && { page: Math.max(limit + 1, minPageRecords) }),
  };
  let seen = after;
  let left = limit;
  let isCallersPosition = after !== null;

  async function* records(): AsyncGenerator<AllStreamResolvedEvent, void, void> {
    try {
      yield* recordsFrom(deps, cursor, paging);
    } catch (error) {
      if (!isCallersPosition || !isNoRecordAtPosition(error)) throw error;
      cursor.at = START;
      yield* recordsFrom(deps, cursor, paging);
    }
  }

  return withResume(retries, 'read the log', async function* () {
    if (left <= 0) return;
    for await (const { event } of records()) {
      if (event === undefined || isSystem(event)) continue;
      const recorded = parsed(event);
      if (recorded === null) {
        onForeign(event);
        continue;
      }
      // A read starts with the event at the position itself.
      if (seen !== null && recorded.position <= seen) continue;
      yield recorded;
      seen = recorded.position;
      isCallersPosition = false;
      left -= 1;
      if (left <= 0) return;
    }
  });
}

/** The last events of the log, at most `limit`, in log order. @throws StoreUnavailable */
export async function readLast(deps: ReadDeps, limit: number): Promise<readonly RecordedEvent[]> {
  const cursor: ReadCursor = { at: END };
  const last: RecordedEvent[] = [];
  const backwards = withResume(deps.retries, 'read its end', async function* () {
    const page = Math.max(limit, minPageRecords);
    const paging = { direction: BACKWARDS, requiresLeader: true, page } as const;
    for await (const { event } of recordsFrom(deps, cursor, paging)) {
      if (event === undefined || isSystem(event)) continue;
      const recorded = parsed(event);
      if (recorded === null) deps.onForeign(event);
      else yield recorded;
    }
  });
  if (limit <= 0) return last;
  for await (const event of backwards) {
    const earliest = last.at(-1);
    // A restarted read may start with the last event once more.
    if (earliest !== undefined && event.position >= earliest.position) continue;
    last.push(event);
    if (last.length >= limit) break;
  }
  return last.reverse();
}

export interface HeadDeps extends Pick<ReadDeps, 'retries' | 'silenceMs'> {
  readonly client: Pick<EventStoreDBClient, 'readAll'>;
}

/** The end of the log, as it was found. */
export interface Head {
  /** The last event of Oja; null when there is none. */
  readonly position: Position | null;
  /** The last record, whoever wrote it, by the server's count; null when there is none. */
  readonly record: bigint | null;
}

/**
 * The end of the log, or `known` when nothing later exists. It looks back no further than `known` did, because other
 * programs and the server's own statistics may write millions of records after Oja's last event. The leader is asked: a
 * follower may lag behind a position that another node has given out, and a log that ends before a
 * checkpoint is taken for a restored one.
 * @throws StoreUnavailable
 */
export async function readHead(deps: HeadDeps, known: Head | null): Promise<Head> {
  const cursor: ReadCursor = { at: END };
  const paging = { direction: BACKWARDS, requiresLeader: true, page: minPageRecords } as const;
  const seen = known?.record ?? null;
  let record: bigint | null = null;
  for await (const position of withResume(deps.retries, 'find its end', async function* () {
    for await (const { event } of recordsFrom(deps, cursor, paging)) {
      if (event === undefined) continue;
      const { commit } = event.position;
      if (seen !== null && commit <= seen) return;
      record ??= commit;
      const recorded = isSystem(event) ? null : parsed(event);
      if (recorded !== null) return yield recorded.position;
    }
  }))
    return { position, record };
  return { position: known?.position ?? null, record: record ?? seen };
}
