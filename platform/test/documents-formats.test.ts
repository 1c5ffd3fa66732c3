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
  sql.exec('DROP TABLE "goods$tokens$name"; DROP TABLE "goods$vocabulary$name"');
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
