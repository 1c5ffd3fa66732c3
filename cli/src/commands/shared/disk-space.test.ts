import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectionName, createEmbeddedDocuments, files, POINTERS } from '@oja/platform';
import { projections } from '@oja/projector';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bytesNeeded, diskSpaceFor, freePageBytesIn, requireDiskSpace } from './disk-space.js';

const MB = 1_000_000;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'oja-room-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('reckons what another generation takes, without what is free in the file already', async () => {
  const [projection] = projections;
  if (projection === undefined) throw new Error('there are no projections');
  const documents = await createEmbeddedDocuments({ file: join(folder, files.documents) });
  const stands = { config: { dataDir: folder, mongodbUrl: null }, engines: { documents } };
  const neededIn = async (place: string) =>
    (await diskSpaceFor(stands, projection, place))?.needed ?? 0;
  const collectionOf = (generation: number) => collectionName(projection, generation, 'things');
  const fill = async (generation: number) => {
    const collection = collectionOf(generation);
    await documents.ensure([{ name: collection, indexes: [] }]);
    const document = { text: 'x'.repeat(2_000) };
    const puts = Array.from({ length: 1_000 }, (_, i) => ({ id: `${i}`, document, collection }));
    await documents.commit(puts.map((put) => ({ type: 'put', ...put })));
  };
  await documents.ensure([{ name: POINTERS, indexes: [] }]);
  const key = `${projection.name}_v${projection.version}`;
  const point = (pointer: { readonly live: number; readonly building: number | null }) =>
    documents.commit([
      { type: 'put', collection: POINTERS, id: key, document: { fed: [1], ...pointer } },
    ]);

  expect(await neededIn(folder)).toBeLessThan(5 * MB);
  await fill(1);
  await point({ live: 1, building: null });
  // 2 MB of documents, both in the file and in its WAL, and the reserve that the market needs to keep running.
  const whole = await neededIn(folder);
  expect(whole).toBeGreaterThan(8 * MB);
  expect(whole).toBeLessThan(12 * MB);
  await fill(2);
  await point({ live: 1, building: 2 });
  expect(await neededIn(folder)).toBeLessThan(5 * MB);
  await documents.drop(collectionOf(2));
  await point({ live: 1, building: null });
  expect(await neededIn(folder)).toBeLessThan(5 * MB);
  expect(await neededIn(tmpdir())).toBe(whole);
  // What a start rebuilds takes the same free pages first.
  const spare = freePageBytesIn(folder);
  expect(spare).toBeGreaterThan(2 * MB);
  expect(bytesNeeded(spare, spare)).toBe(bytesNeeded(0, 0));
  expect(bytesNeeded(spare + MB, spare)).toBe(bytesNeeded(MB, 0));
  const elsewhere = { ...stands, config: { dataDir: folder, mongodbUrl: 'mongodb://x' } };
  expect(await diskSpaceFor(elsewhere, projection, folder)).toBeNull();
  await documents.close();
});

it('refuses with how much is needed and how much is there', () => {
  const room = { folder: '/srv/market', needed: 12.34 * MB, free: 3 * MB };
  expect(() => requireDiskSpace(room, 'Building sellers anew', ', or add --force')).toThrow(
    'Building sellers anew takes about 12.3 MB in /srv/market, and 3.0 MB are free: make room first, or add --force. Nothing was changed.',
  );
  expect(() => requireDiskSpace({ ...room, free: 13 * MB }, 'It')).not.toThrow();
  expect(() => requireDiskSpace(null, 'It')).not.toThrow();
});
