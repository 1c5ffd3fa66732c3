import { join } from 'node:path';
import { createEmbeddedDocuments, createMongoDocuments, type Documents } from '@oja/platform';
import { describe, expect, it } from 'vitest';
import { startChild } from './children.js';
import { goods, put } from './documents.fixture.js';
import { documentsContract } from './documents.js';
import { runContract } from './engines.js';
import { type Fixture, fresh } from './fixture.js';
import { temporaryFolder } from './folders.js';
import { mongoDatabase, noMongo } from './mongo.fixture.js';

/** Pages for the tables and some documents of 4 kB, but not for a hundred of them. */
const fewPages = 120;

async function embedded(): Promise<Fixture<Documents>> {
  const folder = await temporaryFolder();
  const file = join(folder.path, 'documents');
  return {
    open: () => createEmbeddedDocuments({ file }),
    openOnSmallDisk: () => createEmbeddedDocuments({ file, maxPages: fewPages }),
    address: JSON.stringify({ embedded: { file } }),
    remove: folder.remove,
  };
}

async function mongoDocuments(server: string): Promise<Fixture<Documents>> {
  const { url, remove } = mongoDatabase(server);
  return {
    open: () => createMongoDocuments({ url }),
    address: JSON.stringify({ mongo: { url } }),
    remove,
  };
}

const url = process.env.MONGODB_URL;

runContract('Documents', documentsContract, [
  { name: 'SQLite', make: embedded },
  url
    ? { name: 'MongoDB', make: () => mongoDocuments(url) }
    : { name: 'MongoDB', missing: noMongo },
]);

describe('Documents in a SQLite file', () => {
  const data = fresh(embedded);

  it('are read without waiting, and forget what a killed process had begun', async () => {
    const documents = await data.open();
    await documents.ensure([goods]);
    await documents.commit([put('a', { price: 1 })]);
    const child = startChild('documentsBeginner.mjs', data.fixture().address);
    expect(await child.nextLine()).toBe('begun');
    const blocked = documents.commit([put('b', { price: 2 })]);
    expect(await documents.get(goods.name, 'a')).toEqual({ price: 1 });
    await child.killHard();
    expect(await blocked).toBe('committed');
    expect(await documents.getMany(goods.name, ['a', 'b'])).toEqual([{ price: 1 }, { price: 2 }]);
  });
});
