import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { late } from '@oja/contracts/models';
import { createEmbeddedDocuments, type Documents, openSql, UnservedQuery } from '@oja/platform';
import { afterEach, beforeEach, expect, it } from 'vitest';

const goods = {
  name: 'goods',
  indexes: [
    { kind: 'equality', fields: ['owner'] },
    { kind: 'words', field: 'name' },
    ...late(
      { kind: 'sorted', fields: [], by: ['price'] },
      { kind: 'sorted', fields: ['kind'], by: ['price'] },
      { kind: 'sorted', fields: ['kind'], by: ['name'] },
    ),
  ],
} as const;
const LATE = 3;
const byPrice = { sort: [{ field: 'price', order: 'asc' }] } as const;

let folder: string;
let file: string;
let documents: Documents;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'oja-loading-'));
  file = join(folder, 'documents.db');
  documents = await createEmbeddedDocuments({ file });
});
afterEach(async () => {
  await documents.close();
  rmSync(folder, { recursive: true, force: true });
});

const put = (id: string, price: number) => {
  const document = { owner: 'ada', name: `tv ${id}`, kind: 'tv', price };
  return { type: 'put', collection: goods.name, id, document } as const;
};

/** How many indexes the rows of the goods have. */
function indexes(): number {
  const sql = openSql(file, { readonly: true, synchronous: 'NORMAL' });
  const of = `SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND name NOT LIKE 'sqlite_%'`;
  const found = sql.all(of, [goods.name]);
  sql.close();
  return found.length;
}

it('has no late index before the load is over, and refuses what only these serve', async () => {
  await documents.ensure([goods], { loading: 'alone' });
  const early = indexes();
  await documents.commit([put('a', 2), put('b', 1)]);
  await expect(documents.find(goods.name, byPrice)).rejects.toThrow(UnservedQuery);
  const filter = [{ field: 'owner', op: 'eq', value: 'ada' }] as const;
  expect((await documents.find(goods.name, { filter })).items).toHaveLength(2);
  expect(await documents.misindexed(goods.name)).toEqual([]);
  await documents.ensure([goods]);
  expect(indexes() - early).toBe(LATE);
  expect((await documents.find(goods.name, byPrice)).items.map(({ id }) => id)).toEqual(['b', 'a']);
});

it('has all indexes from the start beside others, who would wait while they are created', async () => {
  await documents.ensure([goods], { loading: 'beside-others' });
  const before = indexes();
  await documents.ensure([goods]);
  expect(indexes()).toBe(before);
});

it('lets others write between two late indexes', async () => {
  await documents.ensure([goods], { loading: 'alone' });
  const early = indexes();
  await documents.commit([put('a', 2)]);
  const ensured = documents.ensure([goods]);
  await documents.commit([put('b', 1)]);
  expect(indexes()).toBeLessThan(early + LATE);
  await ensured;
  expect(indexes()).toBe(early + LATE);
  expect((await documents.find(goods.name, byPrice)).items.map(({ id }) => id)).toEqual(['b', 'a']);
});

it('creates the rest when a process ended between two late indexes', async () => {
  await documents.ensure([goods], { loading: 'alone' });
  const early = indexes();
  await documents.commit([put('a', 2)]);
  const ensured = documents.ensure([goods]).catch((error: unknown) => error);
  await documents.close();
  expect(await ensured).toBeInstanceOf(Error);
  expect(indexes()).toBeLessThan(early + LATE);
  documents = await createEmbeddedDocuments({ file });
  await expect(documents.find(goods.name, byPrice)).rejects.toThrow(UnservedQuery);
  await documents.ensure([goods]);
  expect(indexes()).toBe(early + LATE);
  expect((await documents.find(goods.name, byPrice)).items).toHaveLength(1);
});
