import type { Condition, Document, Documents, Page, Query, Scalar, Stored } from '@oja/platform';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { goods, type MakeDocuments, put, remove } from './documents.fixture.js';
import { naiveFacet, naiveFind } from './documents.model.js';
import { fresh } from './fixture.js';

const kinds = ['phone', 'bag', true, 1, null] as const;
const places = ['lagos', 'enugu'] as const;
const pieces = ['lg', 'tv', 'a', 'ab', 'abc', 'bc', 'c', '50%', '_', '"', 'ẹ', '🎉', 'galaxy'];
const tags = ['x', 'y', 1, true] as const;

const price = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom<Scalar[]>(null, 1.5, 'a', 'b', '', true, false, '\u{ffff}', '\u{1f389}'),
);
const name = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 })
  .chain((parts) => fc.constantFrom(' ', '').map((between) => parts.join(between)));

const document: fc.Arbitrary<Document> = fc.record(
  {
    kind: fc.constantFrom<Scalar[]>(...kinds),
    place: fc.constantFrom(...places),
    open: fc.boolean(),
    price,
    rank: fc.integer({ min: 0, max: 2 }),
    name,
    note: name,
    tags: fc.uniqueArray(fc.constantFrom(...tags)),
  },
  { requiredKeys: [] },
);

const word = fc.oneof(fc.constantFrom(...pieces), fc.constantFrom('b', 'ga', 'zz', 'tvlg'));
const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    field: fc.constant('kind'),
    op: fc.constantFrom('eq' as const, 'ne' as const),
    value: fc.constantFrom<Scalar[]>(...kinds),
  }),
  fc.record({
    field: fc.constant('place'),
    op: fc.constant('eq' as const),
    value: fc.constantFrom(...places),
  }),
  fc.record({
    field: fc.constant('price'),
    op: fc.constantFrom(...(['eq', 'ne', 'gt', 'gte', 'lt', 'lte'] as const)),
    value: price,
  }),
  fc.record({
    field: fc.constantFrom('price', 'open'),
    op: fc.constant('in' as const),
    values: fc.array(price, { maxLength: 5 }),
  }),
  fc.record({
    field: fc.constant('tags'),
    op: fc.constant('contains' as const),
    value: fc.constantFrom(...tags),
  }),
  fc.record({
    field: fc.constantFrom('name', 'note'),
    op: fc.constant('words' as const),
    words: fc.array(word, { maxLength: 3 }),
  }),
);

const sort = fc.oneof(
  fc.constant([]),
  fc.constant([{ field: 'name', order: 'asc' as const }]),
  fc
    .tuple(fc.constantFrom(['price'], ['rank', 'price']), fc.constantFrom('asc', 'desc'))
    .map(([by, order]) => by.map((field) => ({ field, order }))),
);
const query: fc.Arbitrary<Query & { readonly limit: number }> = fc.record({
  filter: fc.array(condition, { maxLength: 3 }),
  sort,
  limit: fc.integer({ min: 1, max: 7 }),
});

const ids = Array.from({ length: 60 }, (_, index) => `id-${index}`);
const change = fc.record({
  id: fc.constantFrom(...ids),
  document: fc.option(document, { freq: 6 }),
});

async function agrees(
  documents: Documents,
  all: readonly Stored[],
  asked: Query & { readonly limit: number },
  maxPages: number,
): Promise<void> {
  const { filter = [], limit } = asked;
  const expected = naiveFind(all, asked);
  const found: Stored[] = [];
  let next: string | null = null;
  for (let page = 0; page < maxPages && (page === 0 || next !== null); page += 1) {
    const given: Page = await documents.find(
      goods.name,
      next === null ? asked : { ...asked, cursor: next },
    );
    found.push(...given.items);
    next = given.next;
  }
  expect(found).toEqual(expected.slice(0, maxPages * limit));
  expect(next === null).toBe(expected.length <= maxPages * limit);
  expect(await documents.count(goods.name, filter)).toBe(expected.length);
  const facets = await documents.facets(goods.name, filter, ['kind', 'price', 'open', 'tags']);
  for (const [field, counts] of Object.entries(facets)) {
    const naive = naiveFacet(
      all,
      filter.filter((condition) => condition.field !== field),
      field,
      'tags',
    );
    expect(new Map(counts.map(({ value, count }) => [value, count]))).toEqual(naive);
  }
}

/** The usual test size; slow engines use a smaller one. */
const usual = { rounds: 400, goods: 4_000 };

export function answeringLikeTheModel(make: MakeDocuments, scale = usual): void {
  describe('answering as a plain filter and sort would', () => {
    const data = fresh(make);

    it('whatever was written and whatever is asked', async () => {
      const documents = await data.open();
      await documents.ensure([goods]);
      const model = new Map<string, Document>();
      await fc.assert(
        fc.asyncProperty(
          fc.array(change, { maxLength: 30 }),
          fc.array(query, { minLength: 1, maxLength: 4 }),
          async (changes, queries) => {
            await documents.commit(
              changes.map((c) => (c.document ? put(c.id, c.document) : remove(c.id))),
            );
            for (const c of changes) {
              if (c.document) model.set(c.id, c.document);
              else model.delete(c.id);
            }
            const all = [...model].map(([id, stored]) => ({ id, document: stored }));
            for (const asked of queries) await agrees(documents, all, asked, 20);
          },
        ),
        { numRuns: scale.rounds, endOnFailure: true },
      );
    });

    it('among thousands, with words that many, few or none hold', async () => {
      const documents = await data.open();
      await documents.ensure([goods]);
      const some = fc.sample(document, { numRuns: scale.goods, seed: 7 });
      const all = some.map((one, index) => ({ id: `id-${index}`, document: one }));
      await documents.commit(all.map((stored) => put(stored.id, stored.document)));
      await fc.assert(
        fc.asyncProperty(query, (asked) => agrees(documents, all, asked, 3)),
        { numRuns: 100 },
      );
    });
  });
}
