import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmbeddedDocuments, type Documents, type Filter } from '@oja/platform';
import { afterAll, beforeAll, expect, it } from 'vitest';

const GOODS = 20_000;
const TRIES = 12;

const syllables = ['ba', 'ke', 'li', 'mo', 'nu', 'ra', 'se', 'to', 'wi', 'ya', 'do', 'fe', 'gu'];
/** One of 169 words, so that each letter is in many words, but in few enough for a query to list them all. */
const word = (n: number): string =>
  [n, Math.floor(n / 13) + n].map((at) => syllables[at % 13]).join('');
const nameOf = (n: number): string => [n, n * 7 + 3, n * 31 + 1].map(word).join(' ');

let folder: string;
let documents: Documents;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'oja-cost-'));
  documents = await createEmbeddedDocuments({ file: join(folder, 'documents.db') });
  const sorted = { kind: 'sorted', fields: [], by: ['place', 'name'] } as const;
  const byName = { kind: 'sorted', fields: [], by: ['name'] } as const;
  const words = { kind: 'words', field: 'name' } as const;
  await documents.ensure([{ name: 'goods', indexes: [sorted, byName, words] }]);
  const ofSeller = { kind: 'sorted', fields: ['seller'], by: ['name'], beside: ['note'] } as const;
  const notes = { kind: 'text', field: 'note' } as const;
  await documents.ensure([{ name: 'orders', indexes: [ofSeller, notes] }]);
  for (let from = 0; from < GOODS; from += 1_000) {
    const goods = Array.from({ length: 1_000 }, (_, at) => from + at);
    await documents.commit(
      goods.map((n) => ({
        ...{ type: 'put', collection: 'goods', id: `${n}` },
        document: { name: nameOf(n), place: n % 700 },
      })),
    );
    await documents.commit(
      goods.map((n) => ({
        ...{ type: 'put', collection: 'orders', id: `${n}` },
        document: { name: nameOf(n), seller: n % 2_000, note: `${nameOf(n)} ${n}` },
      })),
    );
  }
});
afterAll(async () => {
  await documents.close();
  rmSync(folder, { recursive: true });
});

/** CPU milliseconds per run. The least of several measurements, to leave out what else the machine does. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  const costs: number[] = [];
  for (let n = 0; n < TRIES; n += 1) {
    const before = process.cpuUsage();
    for (let again = 0; again < 5; again += 1) await work();
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / 5_000);
  }
  return Math.min(...costs);
}

const filterBy = (...words: readonly string[]): Filter => [{ field: 'name', op: 'words', words }];
const page = (filter: Filter) => () =>
  documents.find('goods', { filter, sort: [{ field: 'name', order: 'asc' }], limit: 20 });
const facets = (filter: Filter) => () => documents.facets('goods', filter, ['place']);

/** `share`: the most that a page may cost, relative to one pass over all goods. */
it.each([
  ['letters', ['a', 'e', 'o'], 1 / 3],
  ['more letters', ['a', 'e', 'i', 'o', 'u', 'm'], 1 / 3],
  ['pieces that many words hold', ['ba', 'ke'], 1],
])(
  'a page of them costs less than a pass over all, and their count no more than three: %s',
  async (_, words, share) => {
    const pass = await costOf(facets([]));
    expect((await costOf(page(filterBy(...words)))) / pass).toBeLessThan(share);
    expect((await costOf(facets(filterBy(...words)))) / pass).toBeLessThan(3);
  },
);

it('what is looked for among few costs no more for all the words of the others', async () => {
  const pass = await costOf(facets([]));
  const own = [{ field: 'seller', op: 'eq', value: 7 }] as const;
  let at = 0;
  // Another word each time: what was found last is remembered.
  const found = () =>
    [...own, { field: 'note', op: 'words', words: [syllables[++at % 13] ?? ''] }] as const;
  const sort = [{ field: 'name', order: 'asc' }] as const;
  expect((await documents.find('orders', { filter: own })).items).toHaveLength(10);
  const search = () => documents.find('orders', { filter: found(), sort, limit: 20 });
  expect((await costOf(search)) / pass).toBeLessThan(1 / 4);
});
