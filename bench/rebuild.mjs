/**
 * Builds read models from the first event, for a log of listings and one of orders: each model alone, then all at once,
 * as a first start does. On the embedded engine, `oja replay` beside a market creates all indexes first, and is slower.
 * Baseline: a raw read of the log. `one core` is the number of events per second of CPU time of the busiest thread: the
 * rate on an idle machine.
 *
 *   npm run bench -- rebuild [goods] [orders]
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
import { fillLog } from './lib/log.mjs';
import { buildModels } from './lib/models.mjs';

const goods = Number(process.argv[2] ?? 20_000);
const orders = Number(process.argv[3] ?? 5_000);
const of = 'a raw read of the log';

setFlagsFromString('--expose-gc');
/** libsql closes a file when its handle is garbage-collected, which must not happen during the next measurement. */
const collect = runInNewContext('gc');

async function readAll(eventStore) {
  let events = 0;
  for await (const _ of eventStore.readAll({ after: null })) events += 1;
  return events;
}

async function build(eventStore, folder, built) {
  const file = join(folder, `${built.map(({ name }) => name).join('-')}.db`);
  const documents = await createEmbeddedDocuments({ file });
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

async function measure(eventStore, folder, events, raw, what, built) {
  const { took, busy, late } = await build(eventStore, folder, built);
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
  await inFolder(async (folder) => {
    const eventStore = await createEmbeddedEventStore({ file: join(folder, 'log.db') });
    await fillLog(eventStore, size);
    let events = 0;
    const read = await timed(async () => {
      events = await readAll(eventStore);
    });
    const raw = perSecond(events, read);
    line(`${name}: ${events.toLocaleString('en')} events, ${of}`, rate(raw));
    for (const projection of await concerned(eventStore))
      await measure(eventStore, folder, events, raw, projection.name, [projection]);
    await measure(eventStore, folder, events, raw, 'all at once', projections);
    await eventStore.close();
  });
}
