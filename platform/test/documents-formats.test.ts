import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmbeddedDocuments, openSql } from '@oja/platform';
import { afterEach, beforeEach, expect, it } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'oja-formats-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('makes the words of a file anew that was written before they had a vocabulary', async () => {
  const file = join(folder, 'documents.db');
  const goods = [{ name: 'goods', indexes: [{ kind: 'words', field: 'name' }] }] as const;
  const before = await createEmbeddedDocuments({ file });
  await before.ensure(goods);
  const document = { name: 'ankara tote' };
  await before.commit([{ type: 'put', collection: 'goods', id: 'bag', document }]);
  await before.close();

  const sql = openSql(file, { synchronous: 'NORMAL' });
  sql.exec(
    'DROP TABLE "goods$tokens$name"; DROP TABLE "goods$vocabulary$name"; ALTER TABLE "goods" DROP COLUMN "l_name"',
  );
  sql.exec(`CREATE VIRTUAL TABLE "goods$words$name" USING fts5(bigrams, content='')`);
  sql.run('UPDATE "$collections" SET spec = ?', [JSON.stringify(goods[0])]);
  sql.close();

  const after = await createEmbeddedDocuments({ file });
  await after.ensure(goods);
  const filter = [{ field: 'name', op: 'words', words: ['kar'] }] as const;
  expect((await after.find('goods', { filter })).items).toEqual([{ id: 'bag', document }]);
  await after.close();
  const left = openSql(file, { readonly: true, synchronous: 'NORMAL' });
  expect(left.all('SELECT name FROM sqlite_master WHERE name LIKE ?', ['%$words$%'])).toEqual([]);
  left.close();
});

it('finds words in a file that was written before rows had their letters, and gives it them', async () => {
  const file = join(folder, 'documents.db');
  const goods = [
    {
      name: 'goods',
      indexes: [
        { kind: 'words', field: 'name' },
        { kind: 'sorted', fields: [], by: ['name'] },
      ],
    },
  ] as const;
  const before = await createEmbeddedDocuments({ file });
  await before.ensure(goods);
  const document = { name: 'ankara tote' };
  await before.commit([{ type: 'put', collection: 'goods', id: 'bag', document }]);
  await before.close();

  const sql = openSql(file, { synchronous: 'NORMAL' });
  sql.exec('DROP INDEX "goods$asc$$by$name"; ALTER TABLE "goods" DROP COLUMN "l_name"');
  sql.exec('CREATE INDEX "goods$asc$$by$name" ON "goods" ("f_name" ASC, id)');
  sql.run('UPDATE "$collections" SET spec = ?', [JSON.stringify({ ...goods[0], format: 2 })]);
  sql.close();

  const asked = { filter: [{ field: 'name', op: 'words', words: ['o', 'kar'] }] } as const;
  const after = await createEmbeddedDocuments({ file });
  // A process that only reads may open the file before a writer has converted it.
  expect((await after.find('goods', asked)).items).toEqual([{ id: 'bag', document }]);
  await after.ensure(goods);
  expect((await after.find('goods', asked)).items).toEqual([{ id: 'bag', document }]);
  const none = [{ field: 'name', op: 'words', words: ['o', 'z'] }] as const;
  expect((await after.find('goods', { filter: none })).items).toEqual([]);
  await after.close();
  const left = openSql(file, { readonly: true, synchronous: 'NORMAL' });
  const indexes = left.all('SELECT sql FROM sqlite_master WHERE name = ?', ['goods$asc$$by$name']);
  expect(JSON.stringify(indexes)).toContain('l_name');
  left.close();
});
