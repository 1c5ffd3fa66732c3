/**
 * Memory of this process while it replays a long log into one read model: the largest resident set, and how much it
 * grew from the second to the last quarter (the first warms up). Baseline: the resident set before the replay.
 *
 *   npm run bench -- memory [events] [read model]
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createEmbeddedDocuments, createEmbeddedEventStore } from '@oja/platform';
import { projections } from '@oja/projector';
import { line, perSecond, rate, timed } from './lib/figures.mjs';
import { inFolder } from './lib/folder.mjs';
import { buildModels } from './lib/models.mjs';

const events = Number(process.argv[2] ?? 1_000_000);
const name = process.argv[3] ?? 'reviews';
const APPENDED = 500;
const IN_FLIGHT = 8;
const SAMPLE_MS = 100;
const MIB = 1024 * 1024;

function review() {
  const reviewId = randomUUID();
  const at = new Date().toISOString();
  const comment = 'It came on time, well packed, and is what the picture shows.';
  const data = { reviewId, sellerId: null, businessName: null, comment, stars: 4, at };
  const metadata = {
    actor: 'bench',
    commandId: reviewId,
    correlationId: reviewId,
    causationId: reviewId,
    time: at,
    schemaVersion: 1,
  };
  return { id: randomUUID(), type: 'ReviewPosted', data, metadata };
}

/** Few, long streams: the bench measures reading events, not beginning streams. */
async function fill(eventStore) {
  let left = Math.ceil(events / APPENDED);
  async function write() {
    while (left > 0) {
      left -= 1;
      const stream = `review-${randomUUID()}`;
      await eventStore.append(stream, 'no-stream', Array.from({ length: APPENDED }, review));
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, write));
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

await inFolder(async (folder) => {
  const eventStore = await createEmbeddedEventStore({ file: join(folder, 'log.db') });
  const documents = await createEmbeddedDocuments({ file: join(folder, 'documents.db') });
  await fill(eventStore);
  const projection = projections.find((one) => one.name === name);
  if (projection === undefined) throw new Error(`there is no read model ${name}`);
  const before = process.memoryUsage().rss;
  const samples = [];
  const sampling = setInterval(() => samples.push(process.memoryUsage().rss), SAMPLE_MS);
  const took = await timed(() => buildModels([projection], { eventStore, documents }));
  clearInterval(sampling);
  const quarter = Math.floor(samples.length / 4);
  const slope = mean(samples.slice(-quarter)) - mean(samples.slice(quarter, 2 * quarter));
  const highest = Math.max(...samples);
  line(`before the replay`, `${Math.round(before / MIB)} MiB`);
  line(
    `${events.toLocaleString('en')} events into ${name}`,
    `${Math.round(highest / MIB)} MiB at most, ${(slope / MIB).toFixed(0)} MiB from the second to the last quarter, ${rate(perSecond(events, took))}`,
    { value: highest / before, of: 'before' },
  );
  await documents.close();
  await eventStore.close();
});
