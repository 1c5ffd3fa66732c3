import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createEmbeddedDocuments, createEmbeddedEventStore } from '@oja/platform';
import { catchUp, projections } from '@oja/projector';
import { inFolder } from './folder.mjs';
import { fillLog } from './log.mjs';
import { quiet } from './quiet.mjs';

async function fill(folder, goods) {
  const eventStore = await createEmbeddedEventStore({ file: join(folder, 'log.db') });
  const documents = await createEmbeddedDocuments({ file: join(folder, 'documents.db') });
  await fillLog(eventStore, { goods, orders: 2_000, sellers: Math.ceil(goods / 200) });
  const projection = projections.find(({ name }) => name === 'catalogue');
  const { signal } = new AbortController();
  const head = await eventStore.head();
  await catchUp({ eventStore, documents, projection, logger: quiet, signal }, head);
  await Promise.all([eventStore.close(), documents.close()]);
}

/**
 * Works in a folder whose catalogue has so many goods. BENCH_DATA names a folder in which it is kept for the next
 * time: a million goods take minutes to make.
 */
export async function inFilledFolder(goods, work) {
  const kept = process.env.BENCH_DATA;
  if (kept === undefined) {
    return inFolder(async (folder) => {
      await fill(folder, goods);
      await work(folder);
    });
  }
  const folder = join(kept, String(goods));
  if (!existsSync(join(folder, 'documents.db'))) {
    mkdirSync(folder, { recursive: true });
    await fill(folder, goods);
  }
  return work(folder);
}

/** What each of so many runs took, and what it took of a core, in milliseconds. */
export async function timesOf(many, one) {
  const took = [];
  const cpu = [];
  for (let i = 0; i < many; i += 1) {
    const before = process.cpuUsage();
    const at = performance.now();
    await one();
    took.push(performance.now() - at);
    const { user, system } = process.cpuUsage(before);
    cpu.push((user + system) / 1000);
  }
  return { took, cpu };
}
