/**
 * Builds read models from the first event, for a log of listings and one of orders: each model alone, then all at once,
 * as a first start does. On the embedded engine, `oja replay` beside a market creates all indexes first, and is slower.
 * Baseline: a raw read of the log. `one core` is the number of events per second of CPU time of the busiest thread: the
 * rate on an idle machine.
 *
 *   npm run bench -- rebuild [goods] [orders] [model]        default: 20000 5000; with 0 orders, the listings alone;
 *                                                            with a model's name, that model alone
 *
 * MONGODB_URL names a server that holds the read models instead, in databases that are removed afterwards.
 */
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createEmbeddedDocuments, createEmbeddedEventStore } from '@oja/platform';
import { projections } from '@oja/projector';
import { busiestThread } from './lib/busiest-thread.mjs';
import { line, ms, perSecond, rate, timed } from './lib/figures.mjs';
import { inFolder } from './lib/folder.mjs';
import { inDatabase } from './lib/goods.mjs';
import { fillLog } from './lib/log.mjs';
import { buildModels } from './lib/models.mjs';

const goods = Number(process.argv[2] ?? 20_000);
const orders = Number(process.argv[3] ?? 5_000);
const only = process.argv[4];
const of = 'a raw read of the log';

setFlagsFromString('--expose-gc');
/** libsql closes a file when its handle is garbage-collected, which must not happen during the next measurement. */
const collect = runInNewContext('gc');

async function readAll(eventStore) {
  let events = 0;
  for await (const _ of eventStore.readAll({ after: null })) events += 1;
  return events;
}

/** Runs the work with a function that opens empty documents. */
async function inEmpty(folder, name, work) {
  const server = process.env.MONGODB_URL;
  if (server !== undefined) return inDatabase(server, work);
  await work(() => createEmbeddedDocuments({ file: join(folder, `${name}.db`) }));
}

async function build(eventStore, open, built) {
  const documents = await open();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const busiest = busiestThread();
  delay.enable();
  const took = await timed(() => buildModels(built, { eventStore, documents }));
  delay.disable();
  const busy = busiest();
  await documents.close();
  collect();
  return { took, busy, late: delay.percentile(99) / 1e6 };
}

async function measure(eventStore, open, events, raw, what, built) {
  const { took, busy, late } = await build(eventStore, open, built);
  const found = perSecond(events, took);
  const core = busy === null ? '' : `, one core ${rate(perSecond(events, busy))}`;
  line(`  ${what}`, `${rate(found)}${core}, loop delay p99 ${ms(late)}`, {
    value: found / raw,
    of,
  });
}

/** The read models that handle any event type of this log. */
async function concerned(eventStore) {
  const types = new Set();
  for await (const { type } of eventStore.readAll({ after: null })) types.add(type);
  return projections.filter(({ events }) => events.some((type) => types.has(type)));
}

for (const [name, size] of [
  ['listings', { goods, orders: 0 }],
  ['orders', { goods: 200, orders }],
]) {
  if (name === 'orders' && orders === 0) continue;
  await inFolder(async (folder) => {
    const eventStore = await createEmbeddedEventStore({ file: join(folder, 'log.db') });
    await fillLog(eventStore, size);
    let events = 0;
    const read = await timed(async () => {
      events = await readAll(eventStore);
    });
    const raw = perSecond(events, read);
    line(`${name}: ${events.toLocaleString('en')} events, ${of}`, rate(raw));
    const builds = (await concerned(eventStore)).map((projection) => [
      projection.name,
      [projection],
    ]);
    for (const [what, built] of [...builds, ['all at once', projections]]) {
      if (only !== undefined && what !== only) continue;
      await inEmpty(folder, what, (open) => measure(eventStore, open, events, raw, what, built));
    }
    await eventStore.close();
  });
}
