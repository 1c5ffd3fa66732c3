/**
 * The log on an EventStoreDB server that nobody has written to, named by EVENTSTORE_URL. Compares a
 * hundred writers with the server's bare client, and building all read models at once with building
 * them from an embedded log. Five rounds of each, one after the other; the median of their ratios
 * counts. CPU is that of this process, without the server's.
 *
 *   EVENTSTORE_URL=… npm run bench -- eventstoredb [orders] [appends]
 */
import { join } from 'node:path';
import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import {
  createEmbeddedDocuments,
  createEmbeddedEventStore,
  createEventStoreDb,
} from '@oja/platform';
import { projections } from '@oja/projector';
import { line, measured, percentile, perSecond, rate } from './lib/figures.mjs';
import { inFolder } from './lib/folder.mjs';
import { anEvent, fillLog } from './lib/log.mjs';
import { buildModels } from './lib/models.mjs';

const url = process.env.EVENTSTORE_URL;
const orders = Number(process.argv[2] ?? 4_000);
const appends = Number(process.argv[3] ?? 10_000);
const ROUNDS = 5;
const WRITERS = 100;

const median = (samples) => percentile(samples, 0.5);

/** Compares the work of each round with the baseline in the same round. */
async function compare(what, of, count, baseline, work) {
  const rounds = [];
  // Round 0 only warms up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const bare = await measured(() => baseline(round));
    const own = await measured(() => work(round));
    if (round > 0) rounds.push({ bare, own });
  }
  const rateOf = (side) => rate(perSecond(count, median(rounds.map((round) => round[side].took))));
  line(of, rateOf('bare'));
  const cpu = median(rounds.map(({ bare, own }) => own.cpu / bare.cpu)).toFixed(2);
  const value = median(rounds.map(({ bare, own }) => bare.took / own.took));
  line(what, `${rateOf('own')}, CPU ${cpu} ×`, { value, of });
}

/** `appends` appends, shared by all writers, each to a stream of its own. */
async function written(append) {
  let left = appends;
  const write = async () => {
    while (left-- > 0) {
      const event = anEvent();
      await append(`bench-${event.id}`, event);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
}

async function built(eventStore, file) {
  const documents = await createEmbeddedDocuments({ file });
  await buildModels(projections, { eventStore, documents });
  await documents.close();
}

async function rebuilds(eventStore) {
  await inFolder(async (folder) => {
    const embedded = await createEmbeddedEventStore({ file: join(folder, 'log.db') });
    for (const log of [embedded, eventStore]) await fillLog(log, { goods: 200, orders });
    let events = 0;
    for await (const _ of embedded.readAll({ after: null })) events += 1;
    const from = (log, name) => (round) => built(log, join(folder, `${name}-${round}.db`));
    const models = [from(embedded, 'embedded'), from(eventStore, 'server')];
    await compare('all read models at once', '… from an embedded log', events, ...models);
    await embedded.close();
  });
}

async function writers(eventStore) {
  const client = EventStoreDBClient.connectionString(url);
  const bare = (stream, event) =>
    client.appendToStream(stream, [jsonEvent(event)], { expectedRevision: NO_STREAM });
  const own = (stream, event) => eventStore.append(stream, 'no-stream', [event]);
  const work = [() => written(bare), () => written(own)];
  await compare(`appends, ${WRITERS} at once`, '… the bare client', appends, ...work);
  await client.dispose();
}

if (url === undefined) console.log('EVENTSTORE_URL names no server: nothing is measured.');
else {
  const eventStore = await createEventStoreDb({ url });
  if ((await eventStore.head()) === null) {
    // In this order: the writers leave events that no market has.
    await rebuilds(eventStore);
    await writers(eventStore);
  } else {
    console.error(
      'The log at EVENTSTORE_URL is not empty: name a server that nobody has written to.',
    );
    process.exitCode = 78;
  }
  await eventStore.close();
}
