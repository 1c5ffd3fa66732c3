import { catalogue, obligations, transactions } from '@oja/contracts/models';
import { modelKey, POINTERS, type Pointer, type ReadModelName } from '@oja/platform';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { openMarket, temporaryFolder } from '../../test/support/market.js';
import { openSampleMarket } from '../../test/support/sample-market.js';
import { oja } from './support/oja.js';
import { openFiles } from './support/opened.js';

let dataDir: string;
beforeEach(async () => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  dataDir = folder.path;
  await (await openSampleMarket(dataDir)).stop();
});

/** Leaves the models as a process does that is killed after the last event, before it has created the last indexes. */
async function killedAtItsLoad(...models: readonly ReadModelName[]): Promise<void> {
  const opened = await openFiles(dataDir);
  for (const model of models) {
    const id = modelKey(model);
    const pointer = await opened.documents.get<Pointer>(POINTERS, id);
    if (pointer === null) throw new Error(`there is no ${id}`);
    const document: Pointer = { ...pointer, loading: pointer.live };
    await opened.documents.commit([{ type: 'put', collection: POINTERS, id, document }]);
  }
  await opened.close();
}

it('a command in a closed market ends the load of a read model that was killed', async () => {
  const before = await oja(dataDir, ['payouts', 'list', '--json']);
  expect(before.code).toBe(0);
  await killedAtItsLoad(obligations, transactions);
  expect(await oja(dataDir, ['payouts', 'list', '--json'])).toEqual(before);
});

it('a market that starts ends the load, and finds by its indexes', async () => {
  await killedAtItsLoad(catalogue);
  const market = await openMarket(dataDir);
  onTestFinished(async () => void (await market.stop()));
  const found = await fetch(`${market.url}/v1/products/search?query=&sort=newest`);
  expect(found.status).toBe(200);
  expect(await oja(dataDir, ['verify', 'catalogue'])).toMatchObject({ code: 0 });
});
