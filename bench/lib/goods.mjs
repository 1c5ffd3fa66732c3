import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  createEmbeddedDocuments,
  createEmbeddedEventStore,
  createMongoDocuments,
} from '@oja/platform';
import { projections } from '@oja/projector';
import { MongoClient } from 'mongodb';
import { line, measured, perSecond, timed } from './figures.mjs';
import { inFolder } from './folder.mjs';
import { fillLog } from './log.mjs';
import { buildModels } from './models.mjs';

/** Opens the read models in a folder's file. */
const openFile = (folder) => createEmbeddedDocuments({ file: join(folder, 'documents.db') });

async function fill(folder, goods, open) {
  const eventStore = await createEmbeddedEventStore({ file: join(folder, 'log.db') });
  const documents = await open(folder);
  await fillLog(eventStore, { goods, orders: 2_000, sellers: Math.ceil(goods / 200) });
  const projection = projections.find(({ name }) => name === 'catalogue');
  const head = await eventStore.head();
  const took = await timed(() => buildModels([projection], { eventStore, documents }));
  line(
    `${goods.toLocaleString('en')} goods: the catalogue made`,
    `${Math.round(perSecond(Number(head), took))} events/s`,
  );
  await Promise.all([eventStore.close(), documents.close()]);
}

/**
 * Runs the work with a folder whose catalogue has this many goods. BENCH_DATA names a folder that
 * keeps it for the next time: a million goods take minutes to make.
 * @param work receives the folder and a function that opens its catalogue
 * @param server MongoDB URL; the catalogue is then in a database there, which is removed afterwards
 */
export async function inFilledFolder(goods, work, server) {
  const inFilled = async (folder, open) => {
    await fill(folder, goods, open);
    await work(folder, open);
  };
  if (server !== undefined)
    return inFolder((folder) => inDatabase(server, (open) => inFilled(folder, open)));
  const kept = process.env.BENCH_DATA;
  if (kept === undefined) return inFolder((folder) => inFilled(folder, openFile));
  const folder = join(kept, String(goods));
  if (!existsSync(folder)) {
    // A fill that is killed leaves nothing that would be taken for whole.
    const filling = `${folder}.part`;
    rmSync(filling, { recursive: true, force: true });
    mkdirSync(filling, { recursive: true });
    await fill(filling, goods, openFile);
    renameSync(filling, folder);
  }
  return work(folder, openFile);
}

/** Runs the work with a function that opens a new database on a MongoDB server, and removes the database. */
export async function inDatabase(server, work) {
  // `URL` cannot parse the several hosts of a replica set.
  const url = server.replace(/(?<=:\/\/[^/?]+)(\/[^?]*)?(?=\?|$)/, `/oja-bench-${process.pid}`);
  try {
    await work(() => createMongoDocuments({ url }));
  } finally {
    const client = await new MongoClient(url).connect();
    await client.db().dropDatabase();
    await client.close();
  }
}

/** The duration and CPU time of each of `many` runs, in milliseconds. */
export async function timesOf(many, one) {
  const runs = [];
  for (let i = 0; i < many; i += 1) runs.push(await measured(one));
  return { took: runs.map(({ took }) => took), cpu: runs.map(({ cpu }) => cpu) };
}
