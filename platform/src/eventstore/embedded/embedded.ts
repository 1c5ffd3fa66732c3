import { randomUUID } from 'node:crypto';
import { nextTurn } from '../../clock.js';
import { openSql } from '../../sqlite/sql.js';
import { notifyWatchers, watch } from '../../sqlite/watch.js';
import { startWriter } from '../../sqlite/writer.js';
import { type AppendResult, type EventStore, type Position, positionOf } from '../port.js';
import { type LogSource, NOTHING, subscription } from '../subscription.js';
import { checkedAppend } from '../validate.js';
import { createPages, lastEvents, streamPage } from './pages.js';
import { type AppendReply, type AppendRequest, logIdIn, schema } from './writes.js';

export interface EmbeddedEventStoreOptions {
  /** The log's file, created when missing. Several processes may share it. */
  readonly file: string;
  /** Limits the file to this many pages of 4 KiB: a small disk, for tests. */
  readonly maxPages?: number;
}

/**
 * The log in one SQLite file. One thread commits appends in groups; an append is on disk (fsync) when it
 * is answered.
 * @throws StoreUnavailable when the file cannot be used.
 */
export async function createEmbeddedEventStore(
  options: EmbeddedEventStoreOptions,
): Promise<EventStore> {
  const { file } = options;
  const writer = await startWriter(new URL('./writes.js', import.meta.url), {
    schema,
    thread: 'log',
    ...options,
    synchronous: 'FULL',
  });
  const sql = openSql(file, { readonly: true, synchronous: 'FULL' });
  let logId: string;
  try {
    logId = logIdIn(sql) ?? (await writer.write<string>('identify', { candidate: randomUUID() }));
  } catch (error) {
    await writer.close();
    sql.close();
    throw error;
  }
  const pageAfter = createPages(sql);
  const source = sourceIn(file, pageAfter);
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
      notifyWatchers(file);
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
      let seen = after;
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
      return subscription(source, { ...subscribeOptions, signal });
    },

    async close() {
      closing.abort();
      await writer.close();
      sql.close();
    },
  };
}

/** Remembers where the log ends until there is news, so that caught-up read models do not query the file. */
function sourceIn(file: string, pageAfter: ReturnType<typeof createPages>): LogSource {
  let end: { readonly at: Position | null } | null = null;
  return {
    pageAfter(seen) {
      if (end?.at === seen) return NOTHING;
      const page = pageAfter(seen);
      if (page.seen === null) end = { at: seen };
      return page;
    },
    watch(onNews) {
      // Appends while nobody watched were not reported.
      end = null;
      return watch(file, () => {
        end = null;
        onNews();
      });
    },
  };
}
