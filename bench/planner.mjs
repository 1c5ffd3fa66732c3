/**
 * The embedded documents tell SQLite how to read each search (`INDEXED BY`, `NOT INDEXED`, a list of rows). Without
 * that SQLite chooses for itself, and chooses better once `ANALYZE` has counted what its indexes hold. Runs the
 * same searches both ways and checks that the answers are equal: a page, and the counts of places and conditions.
 *
 *   npm run bench -- planner [goods …]       default: 10000 100000
 *
 * BENCH_DATA works as for `search`; the two share their folders. The statistics are removed afterwards.
 */
import { join } from 'node:path';
import { createEmbeddedDocuments, createReadModels, systemClock } from '@oja/platform';
import { filterSql } from '../platform/dist/documents/conditions.js';
import { orderBy } from '../platform/dist/documents/cursor.js';
import { readSpec } from '../platform/dist/documents/schema.js';
import { column, toShape, walkIndex, wordsTable } from '../platform/dist/documents/shape.js';
import { matchOf } from '../platform/dist/documents/words.js';
import { openSql } from '../platform/dist/sqlite/index.js';
import { filterOf } from '../query-service/dist/calls/goods/search-products.js';
import { createReader } from '../query-service/dist/read-models.js';
import { line, percentile, spread, timed } from './lib/figures.mjs';
import { inFilledFolder, timesOf } from './lib/goods.mjs';
import { searches, sorts } from './lib/searches.mjs';

const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [10_000, 100_000];
const PAGES = 400;
const COUNTS = 40;
const LIMIT = 24;
const FACETS = ['localGovt', 'shownCondition'];

/** Searches as plain SQL without hints. A word condition that the index can narrow becomes an `IN` condition. */
function plainSql(db, shape) {
  const matching = (filter) => {
    const where = filterSql(shape, filter);
    const narrowed = filter.flatMap(({ op, field, words }) => {
      const match = op === 'words' ? matchOf(db, shape, field, words) : null;
      const table = wordsTable(shape.name, field);
      return match === null
        ? []
        : [
            {
              text: `row IN (SELECT rowid FROM ${table} WHERE ${table} MATCH ?)`,
              bound: match.expression,
            },
          ];
    });
    return {
      text: `FROM ${shape.table} WHERE ${[where.text, ...narrowed.map(({ text }) => text)].join(' AND ')}`,
      parameters: [...where.parameters, ...narrowed.map(({ bound }) => bound)],
    };
  };
  return {
    page(filter, sort) {
      const { text, parameters } = matching(filter);
      const order = orderBy(walkIndex(shape, filter, sort));
      const rows = `SELECT row, id ${text} ORDER BY ${order} LIMIT ${LIMIT + 1}`;
      const found = db.all(
        `WITH page AS MATERIALIZED (${rows}) SELECT id, ` +
          `(SELECT json FROM ${shape.documents} d WHERE d.row = page.row) AS json FROM page`,
        parameters,
      );
      return found.slice(0, LIMIT).map(({ id, json }) => ({ id, document: JSON.parse(json) }));
    },
    facets(filter) {
      const counts = FACETS.map((field) => {
        const others = filter.filter((condition) => condition.field !== field);
        const { text, parameters } = matching(others);
        const name = column(field);
        const rows = db.all(
          `SELECT ${name} AS value, count(*) AS count ${text} GROUP BY ${name}`,
          parameters,
        );
        return [field, rows];
      });
      return Object.fromEntries(counts);
    },
  };
}

const inOrder = (facets) =>
  JSON.stringify(
    FACETS.map((field) => facets[field].map(({ value, count }) => `${value} ${count}`).sort()),
  );

function same(what, search, one, other) {
  if (one !== other) throw new Error(`${what} of ${JSON.stringify(search)} differ`);
}

async function measure(folder, goods) {
  const file = join(folder, 'documents.db');
  const documents = await createEmbeddedDocuments({ file });
  const reader = createReader(documents, createReadModels(documents, systemClock));
  const products = (await reader.open('catalogue')).of('products');
  const newest = await products.find({ filter: filterOf({}), sort: sorts.newest, limit: 5_000 });
  const drawn = searches(newest.items.map(({ document }) => document));
  const asked = Array.from({ length: PAGES }, () => {
    const { sort, ...search } = drawn.next().value;
    return { search, filter: filterOf(search), sort: sorts[sort] };
  });

  const db = openSql(file, { synchronous: 'NORMAL' });
  db.exec(`PRAGMA mmap_size = ${2 ** 30}`);
  const collection = (await documents.collections()).find(
    (name) => name.startsWith('catalogue') && name.endsWith('products'),
  );
  const plain = plainSql(db, toShape(readSpec(db, collection)));

  const runs = async (one, many) => {
    let at = 0;
    await timesOf(Math.min(many, 50), () => one(asked[at++ % PAGES]));
    at = 0;
    return timesOf(many, () => one(asked[at++ % PAGES]));
  };
  const ours = {
    pages: await runs(({ filter, sort }) => products.find({ filter, sort, limit: LIMIT }), PAGES),
    counts: await runs(({ filter }) => products.facets(filter, FACETS), COUNTS),
  };
  const title = `${goods.toLocaleString('en')} goods`;
  line(`${title}: page, as we say`, spread(ours.pages.cpu));
  line('  counts, as we say', spread(ours.counts.cpu));

  for (const { search, filter, sort } of asked.slice(0, COUNTS)) {
    const page = await products.find({ filter, sort, limit: LIMIT });
    const ids = (items) => items.map(({ id }) => id).join();
    same('pages', search, ids(page.items), ids(plain.page(filter, sort)));
    same(
      'counts',
      search,
      inOrder(await products.facets(filter, FACETS)),
      inOrder(plain.facets(filter)),
    );
  }

  const against = (what, { cpu }, own) => {
    const times = (share) => percentile(cpu, share) / percentile(own.cpu, share);
    line(`  ${what}`, spread(cpu), {
      value: times(0.5),
      of: `ours at p50, ${times(0.99).toFixed(2)} × at p99`,
    });
  };
  const plainly = async (how) => {
    against(
      `page, ${how}`,
      await runs(async ({ filter, sort }) => plain.page(filter, sort), PAGES),
      ours.pages,
    );
    against(
      `counts, ${how}`,
      await runs(async ({ filter }) => plain.facets(filter), COUNTS),
      ours.counts,
    );
  };
  await plainly('as SQLite chooses');
  const took = await timed(async () => db.exec('ANALYZE'));
  line('  ANALYZE', `${(took / 1000).toFixed(1)} s`);
  await plainly('as SQLite chooses with statistics');
  db.exec(
    'DROP TABLE IF EXISTS sqlite_stat1; DROP TABLE IF EXISTS sqlite_stat4; ANALYZE sqlite_schema',
  );
  db.close();
  await documents.close();
}

for (const goods of sizes) await inFilledFolder(goods, (folder) => measure(folder, goods));
