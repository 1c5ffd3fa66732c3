import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmbeddedDocuments, type Documents, openSql, type Query } from '@oja/platform';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { goods, idsFound, idsOnPages, put, remove } from './contracts/documents.fixture.js';

let folder: string;
let documents: Documents;
let missed: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'oja-misindexed-'));
  missed = [];
  documents = await createEmbeddedDocuments({
    file: join(folder, 'documents.db'),
    onMissing: (collection, id) => missed.push(`${collection}/${id}`),
  });
  await documents.ensure([goods]);
  await documents.commit([
    put('a', { kind: 'bag', open: true, price: 2.5, tags: ['x', true, 1], name: 'ankara tote' }),
    put('b', { kind: 'bag', open: false, rank: null, tags: [], name: 'half \ud800 nul \0' }),
    put('c', {}),
    // More documents than are checked in one page.
    ...Array.from({ length: 1_200 }, (_, i) => put(`more-${i}`, { price: i, name: `shoe ${i}` })),
  ]);
});

afterEach(async () => {
  await documents.close();
  rmSync(folder, { recursive: true, force: true });
});

function byHand(...statements: readonly string[]): void {
  const sql = openSql(join(folder, 'documents.db'), { synchronous: 'NORMAL' });
  for (const statement of statements) sql.exec(statement);
  sql.close();
}

it('finds nothing where nobody has touched an index', async () => {
  await documents.commit([put('a', { kind: 'shoe', tags: ['y'], name: 'lg tv' }), remove('b')]);
  expect(await documents.misindexed(goods.name)).toEqual([]);
});

it('names what is counted amiss, by its values', async () => {
  const counts = `"${goods.name}$counts$kind$open$price"`;
  byHand(
    `UPDATE ${counts} SET rows = 3 WHERE f_kind = 'bag' AND f_price = 2.5`,
    `DELETE FROM ${counts} WHERE f_price = 7`,
  );
  const fields = ['kind', 'open', 'price'];
  expect(await documents.misindexed(goods.name)).toEqual([
    { id: '[null,null,7]', fields },
    { id: '["bag",true,2.5]', fields },
  ]);
  expect(await documents.misindexed(goods.name, ['a'])).toEqual([]);
});

const rowOf = (id: string) => `(SELECT row FROM "${goods.name}" WHERE id = '${id}')`;

it.each([
  ['a column', `UPDATE "${goods.name}" SET f_open = 0 WHERE id = 'a'`, 'a', 'open'],
  [
    'a column that held nothing',
    `UPDATE "${goods.name}" SET f_price = 1 WHERE id = 'c'`,
    'c',
    'price',
  ],
  [
    'the last row',
    `UPDATE "${goods.name}" SET f_price = 7 WHERE id = 'more-1199'`,
    'more-1199',
    'price',
  ],
  ['a text', `UPDATE "${goods.name}" SET f_name = 'gone' WHERE id = 'a'`, 'a', 'name'],
  ['its letters', `UPDATE "${goods.name}" SET l_name = 0 WHERE id = 'a'`, 'a', 'name'],
  ['its words', `DELETE FROM "${goods.name}$tokens$name" WHERE rowid = ${rowOf('a')}`, 'a', 'name'],
  [
    'the words known',
    `DELETE FROM "${goods.name}$vocabulary$name" WHERE word = 'tote'`,
    'a',
    'name',
  ],
  ['a list', `DELETE FROM "${goods.name}$list$tags" WHERE value = 'x'`, 'a', 'tags'],
  [
    'an empty list',
    `INSERT INTO "${goods.name}$list$tags" VALUES ('z', ${rowOf('b')})`,
    'b',
    'tags',
  ],
])(
  'names the field where %s was changed, and is right once it is put again',
  async (_what, statement, id, field) => {
    byHand(statement);
    expect(await documents.misindexed(goods.name)).toEqual([{ id, fields: [field] }]);
    expect(await documents.misindexed(goods.name, [id])).toEqual([{ id, fields: [field] }]);
    expect(await documents.misindexed(goods.name, ['more-5'])).toEqual([]);
    const document = (await documents.get(goods.name, id)) ?? {};
    await documents.commit([remove(id), put(id, document)]);
    expect(await documents.misindexed(goods.name)).toEqual([]);
    expect(await documents.get(goods.name, id)).toEqual(document);
  },
);

it('names all fields of a row whose document is gone, which can be put again and removed', async () => {
  byHand(
    `DELETE FROM "${goods.name}$documents" WHERE row IN (${rowOf('a')}, ${rowOf('b')}, ${rowOf('c')})`,
  );
  const fields = ['kind', 'place', 'open', 'price', 'rank', 'name', 'note', 'tags'];
  const wrong = await documents.misindexed(goods.name);
  expect(wrong.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  for (const one of wrong) expect([...one.fields].sort()).toEqual([...fields].sort());
  await documents.commit([put('a', { kind: 'shoe', tags: ['x'] }), remove('b'), put('c', {})]);
  expect(await documents.misindexed(goods.name)).toEqual([]);
  expect(await documents.getMany(goods.name, ['a', 'b', 'c'])).toEqual([
    { kind: 'shoe', tags: ['x'] },
    null,
    {},
  ]);
});

it('is found again once it is put again', async () => {
  const shown = { filter: [{ field: 'open', op: 'eq', value: true }] } as const;
  byHand(`UPDATE "${goods.name}" SET f_open = 0 WHERE id = 'a'`);
  expect(await idsFound(documents, goods.name, shown)).toEqual([]);
  await documents.commit([remove('a'), put('a', (await documents.get(goods.name, 'a')) ?? {})]);
  expect(await idsFound(documents, goods.name, shown)).toEqual(['a']);
});

it('leaves out of a page what has lost its document, fills it up, and tells of each once', async () => {
  const query: Query = {
    filter: [{ field: 'price', op: 'gte', value: 0 }],
    sort: [{ field: 'price', order: 'asc' }],
  };
  const priced = (limit?: number, cursor?: string | null) =>
    documents.find(goods.name, {
      ...query,
      ...(limit !== undefined && { limit }),
      ...(cursor && { cursor }),
    });
  const idsOf = ({ items }: Awaited<ReturnType<typeof priced>>) => items.map(({ id }) => id);
  const before = idsOf(await priced());
  const lost = ['more-0', 'more-1', 'more-2', 'more-5', 'more-1199'];
  for (const id of lost) byHand(`DELETE FROM "${goods.name}$documents" WHERE row = ${rowOf(id)}`);
  const left = before.filter((id) => !lost.includes(id));
  const first = await priced(3);
  expect(idsOf(first)).toEqual(left.slice(0, 3));
  expect(idsOf(await priced(3, first.next))).toEqual(left.slice(3, 6));
  expect(idsOf(await priced())).toEqual(left);
  expect(await idsOnPages(documents, goods.name, { ...query, limit: 100 })).toEqual(left);
  expect(missed.toSorted()).toEqual(lost.map((id) => `${goods.name}/${id}`).toSorted());
});

it.each([
  ['bytes that are no text', 'text', "CAST(x'7bff7d' AS TEXT)"],
  ['text that is no JSON', 'JSON', "'{'"],
])('names the file where a document has become %s, and goes on', async (_, no, json) => {
  byHand(`UPDATE "${goods.name}$documents" SET json = ${json} WHERE row = ${rowOf('a')}`);
  const isDamaged = new RegExp(`documents\\.db is damaged \\(a document is no ${no}\\)`);
  await expect(documents.get(goods.name, 'a')).rejects.toThrow(isDamaged);
  await expect(documents.find(goods.name, { limit: 1 })).rejects.toThrow(isDamaged);
  await expect(documents.misindexed(goods.name)).rejects.toThrow(isDamaged);
  expect(await documents.get(goods.name, 'c')).toEqual({});
});

it.each([
  ['an id', 'id', () => documents.find(goods.name, { limit: 1 })],
  ['an index', 'f_rank', () => documents.facets(goods.name, [], ['rank'])],
  ['an index', 'f_kind', () => documents.misindexed(goods.name)],
])('names the file where %s has become bytes that are no text', async (what, column, read) => {
  byHand(`UPDATE "${goods.name}" SET ${column} = CAST(x'61ff' AS TEXT) WHERE id = 'a'`);
  await expect(read()).rejects.toThrow(`documents.db is damaged (${what} is no text)`);
});

it.each([
  ['a collection', 'name', () => documents.collections()],
  ['a collection', 'spec', () => createEmbeddedDocuments({ file: join(folder, 'documents.db') })],
])('names the file where %s has a %s of bytes that are no text', async (what, column, read) => {
  byHand(`UPDATE "$collections" SET ${column} = CAST(x'61ff' AS TEXT)`);
  const reading = (async () => {
    const opened = await read();
    if (!('ensure' in opened)) return;
    await opened.ensure([goods]).finally(() => opened.close());
  })();
  await expect(reading).rejects.toThrow(`documents.db is damaged (${what} is no text)`);
});

it('names the file where a word that is searched for has become bytes that are no text', async () => {
  byHand(
    `UPDATE "${goods.name}$vocabulary$name" SET word = CAST(x'746f74ff' AS TEXT) WHERE word = 'tote'`,
  );
  const filter = [{ field: 'name', op: 'words', words: ['tot'] }] as const;
  await expect(documents.find(goods.name, { filter })).rejects.toThrow(
    'documents.db is damaged (an index is no text)',
  );
});

it('says each time that the words of the index are damaged', async () => {
  byHand(`UPDATE "${goods.name}$tokens$name_data" SET block = x'ffffffffff' WHERE id = 10`);
  const isDamaged = /documents\.db is damaged/;
  await expect(documents.misindexed(goods.name)).rejects.toThrow(isDamaged);
  await expect(documents.misindexed(goods.name)).rejects.toThrow(isDamaged);
  expect(await documents.get(goods.name, 'c')).toEqual({});
});
