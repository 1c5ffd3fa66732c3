/**
 * Search over read models of several sizes: a page (each search takes its conditions from one of
 * the goods, so that it finds something), totals and facets counted anew, and both from the cache,
 * which holds until the next event. Baseline: reading the same number of documents by id. `CPU` is
 * the CPU time of each: on an idle machine it takes no longer.
 *
 *   npm run bench -- search [goods …]        default: 10000 100000
 *
 * BENCH_DATA names a folder that keeps filled markets for the next time: a million goods take minutes to make.
 * MONGODB_URL names a server that holds the read models instead, in a database that is removed afterwards.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createReadModels, systemClock } from '@oja/platform';
import {
  filterOf,
  searchProducts,
  shelvesOf,
  totalsOf,
} from '../query-service/dist/calls/goods/search-products.js';
import { suggestProducts } from '../query-service/dist/calls/goods/suggest.js';
import { createReader } from '../query-service/dist/read-models.js';
import { line, percentile, spread } from './lib/figures.mjs';
import { inFilledFolder, timesOf } from './lib/goods.mjs';
import { searches, sorts } from './lib/searches.mjs';

const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [10_000, 100_000];
const PAGES = 1_000;
const COUNTS = 30;
const LIMIT = 24;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

/** What people type of a name: the start of a word, a word, a word with a letter missing, two words joined. */
function* mistyped(names) {
  for (let i = 0; ; i += 1) {
    const [first = '', second = ''] = names[(i * 7919) % names.length].split(' ');
    const middle = Math.floor(first.length / 2);
    yield* [
      first.slice(0, 3),
      first,
      first.slice(0, middle) + first.slice(middle + 1),
      first + second,
    ];
  }
}

async function measure(folder, open, goods) {
  const documents = await open(folder);
  const reader = createReader(documents, createReadModels(documents, systemClock));
  const catalogue = await reader.open('catalogue');
  const products = catalogue.of('products');
  const filter = filterOf({});
  const newest = await products.find({ filter, sort: sorts.newest, limit: 5_000 });
  const drawn = searches(newest.items.map(({ document }) => document));
  const next = () => drawn.next().value;

  const pages = async () => {
    const { sort, ...search } = next();
    await products.find({ filter: filterOf(search), sort: sorts[sort], limit: LIMIT });
  };
  const ids = newest.items.map(({ id }) => id);
  let at = 0;
  const bare = await timesOf(PAGES, () => {
    const first = at++ % 4_900;
    return products.getMany(ids.slice(first, first + LIMIT));
  });
  const of = 'as many by id';
  const tell = (what, { took, cpu }) =>
    line(what, `${spread(took)} (CPU ${spread(cpu)})`, {
      value: percentile(cpu, 0.5) / percentile(bare.cpu, 0.5),
      of,
    });
  const title = `${goods.toLocaleString('en')} goods`;
  line(`${title}: ${LIMIT} documents by id`, `${spread(bare.took)} (CPU ${spread(bare.cpu)})`);
  await timesOf(200, pages);
  const paged = await timesOf(PAGES, pages);
  tell('  page', paged);
  const counted = await timesOf(COUNTS, () =>
    totalsOf(products, filterOf(next()), () => shelvesOf(products)),
  );
  tell('  totals and facets, counted', counted);

  const images = { address: (reference) => reference, url: (reference) => reference };
  const search = searchProducts({ reader, images });
  const query = { query: newest.items[0].document.nameKey.split(' ')[0], sort: 'newest' };
  await search({ query });
  const cached = await timesOf(PAGES / 4, () => search({ query }));
  tell('  a page with cached totals, whole call', cached);

  const suggest = suggestProducts({ reader, clock: systemClock, images });
  const [store] = (await catalogue.of('stores').find({ limit: 1 })).items;
  const named = { query: { query: store.document.businessName } };
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  const told = async () => (await suggest(named)).body.stores.length > 0;
  const first = await timesOf(1, async () => {
    while (!(await told()));
  });
  const kept = ((heap() - before) / 2 ** 20).toFixed(1);
  line('  suggestions: all names read', `CPU ${spread(first.cpu)}, ${kept} MiB kept`);
  const typed = mistyped(newest.items.map(({ document }) => document.nameKey));
  const suggested = await timesOf(PAGES, () => suggest({ query: { query: typed.next().value } }));
  tell('  suggestions, whole call', suggested);
  await documents.close();
}

const server = process.env.MONGODB_URL;
for (const goods of sizes)
  await inFilledFolder(goods, (folder, open) => measure(folder, open, goods), server);
