/**
 * Durable appends, one event each, by one writer and by a hundred at once, against raw inserts into the same table
 * through libsql with the same durability: one a transaction, and a hundred a transaction.
 *
 *   npm run bench -- appends [seconds]
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createEmbeddedEventStore, openSql } from '@oja/platform';
import { line, perSecond, rate, spread } from './lib/figures.mjs';
import { inFolder } from './lib/folder.mjs';

const MS = Number(process.argv[2] ?? 5) * 1000;
const WRITERS = 100;

const data = { productId: randomUUID(), name: 'Ankara tote', price: 1_150_000, state: 'Lagos' };

function event() {
  const id = randomUUID();
  const time = new Date().toISOString();
  const metadata = {
    actor: 'bench',
    commandId: id,
    correlationId: id,
    causationId: id,
    time,
    schemaVersion: 1,
  };
  return { id, type: 'ProductListed', data, metadata };
}

/** Raw inserts for a while; answers how many a second. */
function raw(file, perTransaction) {
  const sql = openSql(file, { synchronous: 'FULL' });
  sql.exec(`CREATE TABLE IF NOT EXISTS events (position INTEGER PRIMARY KEY, stream TEXT NOT NULL,
    revision INTEGER NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL, data TEXT NOT NULL,
    metadata TEXT NOT NULL, UNIQUE (stream, revision)) STRICT`);
  const insert = `INSERT INTO events (stream, revision, id, type, data, metadata) VALUES (?, 0, ?, ?, ?, ?)`;
  const began = performance.now();
  let inserts = 0;
  while (performance.now() - began < MS) {
    sql.transaction(() => {
      for (let i = 0; i < perTransaction; i += 1) {
        const { id, type, data: of, metadata } = event();
        const text = [id, type, JSON.stringify(of), JSON.stringify(metadata)];
        sql.run(insert, [`product-${id}`, ...text]);
      }
    });
    inserts += perTransaction;
  }
  const found = perSecond(inserts, performance.now() - began);
  sql.close();
  return found;
}

async function appends(eventStore, writers) {
  const took = [];
  const began = performance.now();
  async function write() {
    while (performance.now() - began < MS) {
      const at = performance.now();
      const one = event();
      const answer = await eventStore.append(`product-${one.id}`, 'no-stream', [one]);
      if (!answer.ok) throw new Error('an append was refused');
      took.push(performance.now() - at);
    }
  }
  await Promise.all(Array.from({ length: writers }, write));
  return { found: perSecond(took.length, performance.now() - began), took };
}

await inFolder(async (folder) => {
  const eventStore = await createEmbeddedEventStore({ file: join(folder, 'log.db') });
  for (const writers of [1, WRITERS]) {
    const of = `raw libsql, ${writers} a transaction`;
    const baseline = raw(join(folder, `raw-${writers}.db`), writers);
    const { found, took } = await appends(eventStore, writers);
    line(of, rate(baseline));
    line(`appends, ${writers} at once`, `${rate(found)}, ${spread(took)}`, {
      value: found / baseline,
      of,
    });
  }
  await eventStore.close();
});
