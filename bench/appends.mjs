/**
 * Durable appends of one event each, by one writer and by a hundred at once. Baseline: raw inserts into an equal
 * table through libsql with the same durability, one per transaction and a hundred per transaction. `one core` is
 * the rate per second of CPU time of the busiest thread: the rate on an idle machine with a disk that never waits.
 *
 *   npm run bench -- appends [seconds]
 */
import { join } from 'node:path';
import { createEmbeddedEventStore, openSql } from '@oja/platform';
import { busiestThread } from './lib/busiest-thread.mjs';
import { line, perSecond, rate, spread } from './lib/figures.mjs';
import { inFolder } from './lib/folder.mjs';
import { anEvent } from './lib/log.mjs';

const MS = Number(process.argv[2] ?? 5) * 1000;
const WRITERS = 100;

/** Raw inserts for `MS` milliseconds. */
function raw(file, perTransaction) {
  const sql = openSql(file, { synchronous: 'FULL' });
  sql.exec(`CREATE TABLE IF NOT EXISTS events (position INTEGER PRIMARY KEY, stream TEXT NOT NULL,
    revision INTEGER NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL, data TEXT NOT NULL,
    metadata TEXT NOT NULL, UNIQUE (stream, revision)) STRICT`);
  const insert = `INSERT INTO events (stream, revision, id, type, data, metadata) VALUES (?, 0, ?, ?, ?, ?)`;
  const busiest = busiestThread();
  const began = performance.now();
  let inserts = 0;
  while (performance.now() - began < MS) {
    sql.transaction(() => {
      for (let i = 0; i < perTransaction; i += 1) {
        const { id, type, data: of, metadata } = anEvent();
        const text = [id, type, JSON.stringify(of), JSON.stringify(metadata)];
        sql.run(insert, [`product-${id}`, ...text]);
      }
    });
    inserts += perTransaction;
  }
  const found = perSecond(inserts, performance.now() - began);
  const core = perSecond(inserts, busiest());
  sql.close();
  return { found, core };
}

async function appends(eventStore, writers) {
  const took = [];
  const busiest = busiestThread();
  const began = performance.now();
  async function write() {
    while (performance.now() - began < MS) {
      const at = performance.now();
      const one = anEvent();
      const answer = await eventStore.append(`product-${one.id}`, 'no-stream', [one]);
      if (!answer.ok) throw new Error('an append was refused');
      took.push(performance.now() - at);
    }
  }
  await Promise.all(Array.from({ length: writers }, write));
  const found = perSecond(took.length, performance.now() - began);
  return { found, core: perSecond(took.length, busiest()), took };
}

await inFolder(async (folder) => {
  const eventStore = await createEmbeddedEventStore({ file: join(folder, 'log.db') });
  for (const writers of [1, WRITERS]) {
    const of = `raw libsql, ${writers} a transaction`;
    const baseline = raw(join(folder, `raw-${writers}.db`), writers);
    line(of, `${rate(baseline.found)}, one core ${rate(baseline.core)}`);
    const { found, core, took } = await appends(eventStore, writers);
    const figure = `${rate(found)}, ${spread(took)}, one core ${rate(core)}`;
    line(`appends, ${writers} at once`, figure, { value: found / baseline.found, of });
  }
  await eventStore.close();
});
