/**
 * Time from the acknowledgement of an append until a read model shows it, in a market with goods: how long a
 * browser that sends `Oja-Position` back waits. Baseline: a bare commit of one document to the same file. `CPU`
 * is the work of all threads of the process in that time; the rest was spent waiting for other programs.
 *
 *   npm run bench -- lag [goods] [events]
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  createEmbeddedDocuments,
  createEmbeddedEventStore,
  createEmbeddedJobs,
  createEmbeddedState,
  createReadModels,
  systemClock,
} from '@oja/platform';
import { createProjector, projections, reactions } from '@oja/projector';
import { generateSamples } from '../demo/dist/samples/samples.js';
import { productStream } from '../demo/dist/seed/streams.js';
import { line, measured, percentile, spread, timed } from './lib/figures.mjs';
import { inFolder } from './lib/folder.mjs';
import { fillLog } from './lib/log.mjs';
import { quiet } from './lib/models.mjs';

const goods = Number(process.argv[2] ?? 10_000);
const many = Number(process.argv[3] ?? 500);
/** Pause between two appends: a busy market, but one that is not catching up. */
const PAUSE_MS = 20;

const [sample] = generateSamples({ sellers: 12, products: 1, orders: 0, seed: 1 }).products;
const sellerId = randomUUID();

function listing() {
  const id = randomUUID();
  const now = new Date().toISOString();
  const { events } = productStream({ ...sample, index: id }, sellerId, 'bench', now);
  const metadata = { actor: `seller:${sellerId}`, correlationId: id, causationId: id, time: now };
  return {
    stream: `product-${events[0].data.productId}`,
    events: events.map((event) => ({
      ...event,
      id,
      metadata: { ...metadata, commandId: id, schemaVersion: 1 },
    })),
  };
}

async function commits(documents) {
  await documents.ensure([{ name: 'bench', indexes: [] }]);
  const took = [];
  for (let i = 0; i < many; i += 1) {
    const put = { type: 'put', collection: 'bench', id: String(i), document: { at: i } };
    took.push(await timed(() => documents.commit([put])));
    await wait(PAUSE_MS);
  }
  return took;
}

await inFolder(async (folder) => {
  const eventStore = await createEmbeddedEventStore({ file: join(folder, 'log.db') });
  const documents = await createEmbeddedDocuments({ file: join(folder, 'documents.db') });
  const state = await createEmbeddedState({ file: join(folder, 'state.db') });
  const jobs = await createEmbeddedJobs({ file: join(folder, 'jobs.db') });
  await fillLog(eventStore, { goods, orders: 0 });
  const projector = createProjector({
    eventStore,
    documents,
    state,
    jobs,
    projections,
    reactions,
    logger: quiet,
    clock: systemClock,
    metrics: { setProjectionLag() {} },
  });
  await projector.start();
  await projector.caughtUp(await eventStore.head());
  const bare = await commits(documents);
  const readModels = createReadModels(documents, systemClock);
  line('a bare commit of one document', spread(bare));
  const catalogue = projections.filter(({ name }) => name === 'catalogue');
  for (const [what, models] of [
    ['catalogue', catalogue],
    ['every read model', projections],
  ]) {
    const seen = [];
    const cpu = [];
    for (let i = 0; i < many; i += 1) {
      const { stream, events } = listing();
      const { position } = await eventStore.append(stream, 'no-stream', events);
      const shown = await measured(async () => {
        if (!(await readModels.waitFor(models, position, 10_000)))
          throw new Error('a listing was not shown within ten seconds');
      });
      seen.push(shown.took);
      cpu.push(shown.cpu);
      await wait(PAUSE_MS);
    }
    const value = percentile(seen, 0.5) / percentile(bare, 0.5);
    line(
      `${what} has it after, over ${goods.toLocaleString('en')} goods`,
      `${spread(seen)} (CPU ${spread(cpu)})`,
      {
        value,
        of: 'a bare commit',
      },
    );
  }
  await projector.stop();
  await Promise.all([eventStore, documents, state, jobs].map((engine) => engine.close()));
});
