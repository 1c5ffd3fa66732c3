import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openSql } from '../../sqlite/sql.js';
import { touch } from '../../sqlite/watch.js';
import { startWriter } from '../../sqlite/writer.js';
import { type AppendResult, type EventStore, positionOf } from '../port.js';
import { checkedAppend } from '../validate.js';
import { createPages, lastEvents, rowOf, streamPage } from './pages.js';
import { type LogEnd, subscription } from './subscription.js';
import { type AppendReply, type AppendRequest, logIdIn } from './writes.js';

export interface EmbeddedEventStoreOptions {
  /** The log's file; made when it is not there. Several processes may share it. */
  readonly file: string;
  /** The file may not grow beyond this many pages of 4 KiB; a small disk, for tests. */
  readonly maxPages?: number;
}

/**
 * The log in one SQLite file: appends are committed in groups by one thread and are on disk (fsync)
 * when they are answered.
 *
 * @throws StoreUnavailable when the file cannot be used.
 */
export async function createEmbeddedEventStore(
  options: EmbeddedEventStoreOptions,
): Promise<EventStore> {
  const { file } = options;
  const writer = await startWriter(new URL('./writes.js', import.meta.url), {
    ...options,
    synchronous: 'FULL',
  });
  const sql = openSql(file, { readonly: true, synchronous: 'FULL' });
  const logId =
    logIdIn(sql) ?? (await writer.write<string>('identify', { candidate: randomUUID() }));
  const pageAfter = createPages(sql);
  const end: LogEnd = { at: null };
  const closing = new AbortController();

  return {
    logId: async () => logId,

    async append(stream, expected, events): Promise<AppendResult> {
      const request: AppendRequest = {
        stream,
        expected,
        events: checkedAppend(stream, expected, events),
      };
      const reply = await writer.write<AppendReply>('append', request);
      if (!reply.ok) return { ok: false, reason: 'wrong-revision', actual: reply.actual };
      touch(file);
      return { ok: true, revision: reply.revision, position: positionOf(reply.position) };
    },

    async *readStream(stream, { from = 0 } = {}) {
      for (let next = from; ; ) {
        const page = streamPage(sql, stream, next);
        const last = page.at(-1);
        if (!last) return;
        yield* page;
        next = last.revision + 1;
        await nextTurn();
      }
    },

    readLast: async (limit) => lastEvents(sql, limit),

    async *readAll({ after, limit = Number.POSITIVE_INFINITY }) {
      let seen = rowOf(after);
      let left = limit;
      for (;;) {
        const page = pageAfter(seen);
        if (page.seen === null) return;
        for (const event of page.events) {
          if (left <= 0) return;
          left -= 1;
          yield event;
        }
        seen = page.seen;
        await nextTurn();
      }
    },

    async head() {
      const row = sql.get<{ last: number | null }>('SELECT max(position) AS last FROM events');
      return row?.last ? positionOf(row.last) : null;
    },

    subscribe(subscribeOptions) {
      const signal = AbortSignal.any([subscribeOptions.signal, closing.signal]);
      return subscription(pageAfter, file, end, { ...subscribeOptions, signal });
    },

    async close() {
      closing.abort();
      await writer.close();
      sql.close();
    },
  };
}
