import { type Documents, InvalidCursor, type Page, type Query, UnservedQuery } from '@oja/platform';
import { describe, expect, it } from 'vitest';
import {
  goods,
  idsFound,
  idsOnPages,
  type MakeDocuments,
  named,
  put,
  remove,
} from './documents.fixture.js';
import { fresh } from './fixture.js';

const byPrice = [{ field: 'price', order: 'asc' }] as const;

/** The cursor with its decoded text changed. */
const changed = (cursor: string, from: RegExp, to: string): string =>
  Buffer.from(Buffer.from(cursor, 'base64url').toString('utf8').replace(from, to)).toString(
    'base64url',
  );

export function finding(make: MakeDocuments): void {
  describe('finding', () => {
    const data = fresh(make);

    async function open(): Promise<Documents> {
      const documents = await data.open();
      await documents.ensure([goods]);
      return documents;
    }

    const idsWith = (documents: Documents, ...words: readonly string[]) =>
      idsFound(documents, goods.name, { filter: [{ field: 'name', op: 'words', words }] });

    it.each<[readonly string[], readonly string[]]>([
      [
        ['lg', 'tv'],
        ['a', 'c'],
      ],
      [
        ['tv', 'lg'],
        ['a', 'c'],
      ],
      [['axy'], ['b']],
      [['gal'], ['b']],
      [['v'], ['a', 'c']],
      [['lgtv'], []],
      [['tv lg'], ['c']],
      [['50%'], ['d']],
      [['5%'], []],
      [['_'], ['d']],
      [['s_s'], ['d']],
      [['u_s'], []],
      [['%'], ['d']],
      [['"'], ['e']],
      [['"or"'], ['e']],
      [['or'], ['e']],
      [['*'], ['e']],
      [['near(a'], ['e']],
      [["it's"], ['e']],
      [['^it'], []],
      [['name:lg'], []],
      [['ẹwà'], ['f']],
      [['wà'], ['f']],
      [['🎉🎊'], ['f']],
      [['🎊'], ['f']],
      [['LG'], []],
      [['lg', 'zz'], []],
      [[''], ['a', 'b', 'c', 'd', 'e', 'f']],
      [[], ['a', 'b', 'c', 'd', 'e', 'f']],
    ])('finds the words %j inside words, literally', async (words, expected) => {
      const documents = await open();
      await documents.commit(
        named(
          'lg smart tv',
          'samsung galaxy',
          'old tv lg 43',
          '50% off plus_size',
          `"or" near(a* it's -b`,
          'ẹwà oloyin 🎉🎊',
        ),
      );
      expect(await idsWith(documents, ...words)).toEqual(expected);
    });

    it('finds words inside a text among what other conditions leave, and only where it is declared', async () => {
      const documents = await open();
      await documents.commit([
        put('a', { kind: 'bag', price: 2, note: 'red ankara-tote', open: true }),
        put('b', { kind: 'bag', price: 1, note: 'ankara 50% off' }),
        put('c', { kind: 'shoe', price: 1, note: 'ankara' }),
        put('d', { kind: 'bag', price: 3 }),
      ]);
      const noted = (...words: readonly string[]) =>
        [
          { field: 'kind', op: 'eq', value: 'bag' },
          { field: 'note', op: 'words', words },
        ] as const;
      const sort = [{ field: 'price', order: 'asc' }] as const;
      const idsOf = (...words: readonly string[]) =>
        idsFound(documents, goods.name, { filter: noted(...words), sort });
      expect(await idsOf('kara')).toEqual(['b', 'a']);
      expect(await idsOf('kara-t', 'ed')).toEqual(['a']);
      expect(await idsOf('50%')).toEqual(['b']);
      expect(await idsOf('shoe')).toEqual([]);
      expect(await idsOf()).toEqual(['b', 'a', 'd']);
      expect(await documents.count(goods.name, noted('an'))).toBe(2);
      expect((await documents.facets(goods.name, noted('an'), ['open'])).open).toEqual(
        expect.arrayContaining([
          { value: null, count: 1 },
          { value: true, count: 1 },
        ]),
      );
      await documents.commit([put('a', { kind: 'bag', price: 2, note: 'blue' }), remove('b')]);
      expect(await idsOf('kara')).toEqual([]);
      expect(await idsOf('blu')).toEqual(['a']);
      expect(await documents.misindexed(goods.name)).toEqual([]);
      await expect(documents.commit([put('e', { note: 7 })])).rejects.toThrow('must hold text');
      const unserved = [{ field: 'place', op: 'words', words: ['x'] }] as const;
      await expect(documents.count(goods.name, unserved)).rejects.toThrow(UnservedQuery);
    });

    it('does not take letters of two words for one word', async () => {
      const documents = await open();
      await documents.commit(named('ab bc', 'abc'));
      expect(await idsWith(documents, 'abc')).toEqual(['b']);
    });

    it('tells null, false, 0 and text apart', async () => {
      const documents = await open();
      await documents.commit([
        put('a', { kind: null }),
        put('b', {}),
        put('c', { kind: false }),
        put('d', { kind: 0 }),
        put('e', { kind: '0' }),
        put('f', { kind: true }),
        put('g', { kind: 1 }),
      ]);
      const ids = (op: 'eq' | 'ne' | 'gt' | 'lte', value: string | number | boolean | null) =>
        idsFound(documents, goods.name, { filter: [{ field: 'kind', op, value }] });
      expect(await ids('eq', null)).toEqual(['a', 'b']);
      expect(await ids('eq', false)).toEqual(['c']);
      expect(await ids('eq', 0)).toEqual(['d']);
      expect(await ids('eq', '0')).toEqual(['e']);
      expect(await ids('eq', true)).toEqual(['f']);
      expect(await ids('ne', null)).toEqual(['c', 'd', 'e', 'f', 'g']);
      expect(await ids('ne', 1)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
      expect(await ids('gt', 0)).toEqual(['g']);
      expect(await ids('lte', 5)).toEqual(['d', 'g']);
      const filter = [{ field: 'kind', op: 'in', values: [null, '0', true] } as const];
      expect(await idsFound(documents, goods.name, { filter })).toEqual(['a', 'b', 'e', 'f']);
      expect(await documents.facets(goods.name, [], ['kind'])).toMatchObject({
        kind: expect.arrayContaining([
          { value: null, count: 2 },
          { value: false, count: 1 },
          { value: 0, count: 1 },
          { value: '0', count: 1 },
        ]),
      });
    });

    it('counts every field at one moment, while documents come and go', async () => {
      const documents = await open();
      const some = Array.from({ length: 20 }, (_, index) => `id-${index}`);
      let going = true;
      async function comeAndGo(): Promise<void> {
        while (going) {
          await documents.commit(some.map((id) => put(id, { place: 'here', name: id })));
          await documents.commit(some.map((id) => remove(id)));
        }
      }
      const writing = comeAndGo();
      const totals: number[][] = [];
      for (let looks = 0; looks < 50; looks += 1) {
        const facets = await documents.facets(goods.name, [], ['place', 'name']);
        totals.push(
          ['place', 'name'].map((field) =>
            (facets[field] ?? []).reduce((sum, { count }) => sum + count, 0),
          ),
        );
      }
      going = false;
      await writing;
      expect(totals.filter(([one, other]) => one !== other)).toEqual([]);
    });

    it('pages without losing or repeating what stands still while others come and go', async () => {
      const documents = await open();
      const ids = Array.from({ length: 20 }, (_, index) => `id-${String(index).padStart(2, '0')}`);
      await documents.commit(ids.map((id, index) => put(id, { price: index % 3 || null })));
      const inOrder = await idsFound(documents, goods.name, { sort: byPrice });
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const query: Query = { sort: byPrice, limit: 3, ...(cursor === null ? {} : { cursor }) };
        const page: Page = await documents.find(goods.name, query);
        seen.push(...page.items.map(({ id }) => id));
        cursor = page.next;
        const last = seen.at(-1) ?? '';
        await documents.commit([remove(last), put(`before-${last}`, { price: null })]);
      } while (cursor !== null);
      expect(seen).toEqual(inOrder);
    });

    it.each([
      { count: 900, far: 80 },
      { count: 4_000, far: 100 },
    ])(
      'finds what lies far behind in the order asked for, and all of it: $far of $count',
      async ({ count, far }) => {
        const documents = await open();
        const isFar = (n: number) => n >= count - far;
        const idOf = (n: number) => String(n).padStart(4, '0');
        await documents.commit(
          Array.from({ length: count }, (_, n) =>
            put(idOf(n), {
              name: `${isFar(n) ? 'zinc' : n % 2 ? 'ubo' : 'ubi'} ${idOf(n)}`,
              price: n,
              kind: isFar(n) || n % 2 ? 'a' : 'b',
            }),
          ),
        );
        const letters = { field: 'name', op: 'words', words: ['i', 'n'] } as const;
        const dear = { field: 'price', op: 'gte', value: count - 60 } as const;
        const kind = { field: 'kind', op: 'in', values: ['a', 'c'] } as const;
        const byName = [{ field: 'name', order: 'asc' }] as const;
        const byRank = [{ field: 'rank', order: 'asc' }, ...byPrice] as const;
        for (const query of [
          { filter: [letters], sort: byName },
          { filter: [letters], sort: byPrice },
          { filter: [{ ...letters, words: ['zinc'] }], sort: byRank },
          { filter: [letters, dear], sort: byName },
          { filter: [kind, { ...letters, words: ['i'] }], sort: byPrice },
        ] satisfies Query[]) {
          const least = count - (query.filter.some(({ field }) => field === 'price') ? 60 : far);
          const seen = await idsOnPages(documents, goods.name, { ...query, limit: 20 });
          const due = Array.from({ length: count - least }, (_, n) => idOf(least + n));
          expect(seen, JSON.stringify(query)).toEqual(due);
        }
      },
    );

    it.each(['asc', 'desc'] as const)(
      'pages through what has two common words, in the order of the text: %s',
      async (order) => {
        const documents = await data.open();
        const inOrder = { kind: 'sorted', fields: [], by: ['name'], beside: ['price'] } as const;
        await documents.ensure([{ ...goods, indexes: [...goods.indexes, inOrder] }]);
        // By UTF-16, the third would come after the fourth. Each name is that of dozens of documents.
        const first = ['a', 'lamp', '\u{1f600}', '\uffee', 'gold'];
        const all = Array.from({ length: 1_200 }, (_, n) => ({
          id: `id-${(n * 7919) % 1_200}`,
          name: `${first[n % 5]} ${n % 2 ? 'lamp' : 'cup'} ${n % 3 ? 'gold' : 'tin'}`,
          price: n % 4,
        }));
        await documents.commit(all.map(({ id, ...document }) => put(id, document)));
        for (const prices of [[], [{ field: 'price', op: 'gte', value: 2 }]] as const) {
          const words = { field: 'name', op: 'words', words: ['lamp', 'gold'] } as const;
          const query = { filter: [words, ...prices], sort: [{ field: 'name', order }] } as const;
          const seen = await idsOnPages(documents, goods.name, { ...query, limit: 7 });
          const due = all
            .filter(
              ({ name, price }) =>
                /lamp/.test(name) && /gold/.test(name) && price >= 2 * prices.length,
            )
            .sort(
              (one, other) =>
                Buffer.compare(Buffer.from(one.name), Buffer.from(other.name)) ||
                (one.id < other.id ? -1 : 1),
            );
          if (order === 'desc') due.reverse();
          expect(seen).toEqual(due.map(({ id }) => id));
          expect(await documents.count(goods.name, query.filter)).toBe(due.length);
        }
      },
    );

    it('finds each time what is there then, asked in the same words', async () => {
      const documents = await open();
      const filter = [{ field: 'name', op: 'words', words: ['bag'] }] as const;
      const found = async () => ({
        ids: await idsFound(documents, goods.name, { filter }),
        count: await documents.count(goods.name, filter),
      });
      await documents.commit(named('leather bag', 'shoe'));
      expect(await found()).toEqual({ ids: ['a'], count: 1 });
      await documents.commit([put('b', { name: 'handbag' })]);
      expect(await found()).toEqual({ ids: ['a', 'b'], count: 2 });
      await documents.commit([remove('a')]);
      expect(await found()).toEqual({ ids: ['b'], count: 1 });
    });

    it('says that there is no next page when the last one is exactly full', async () => {
      const documents = await open();
      await documents.commit(named('x', 'y'));
      expect((await documents.find(goods.name, { limit: 2 })).next).toBeNull();
      expect((await documents.find(goods.name, { limit: 1 })).next).not.toBeNull();
      await expect(documents.find(goods.name, { limit: 0 })).rejects.toThrow();
    });

    it('refuses the cursor of another query, and one that was made up', async () => {
      const documents = await open();
      await documents.commit(named('x', 'y'));
      const { next } = await documents.find(goods.name, { sort: byPrice, limit: 1 });
      const cursor = next ?? '';
      expect(await idsFound(documents, goods.name, { sort: byPrice, cursor })).toEqual(['b']);
      const descending = [{ field: 'price', order: 'desc' }] as const;
      const filter = [{ field: 'kind', op: 'eq', value: 'x' }] as const;
      const wrong = [
        { cursor },
        { cursor, sort: descending },
        { cursor, sort: byPrice, filter },
        { cursor: `${cursor}x`, sort: byPrice },
        { cursor: '', sort: byPrice },
        { cursor: 'e30', sort: byPrice },
        { cursor: "' OR 1=1 --", sort: byPrice },
        { cursor: changed(cursor, /null\]$/, '1e999]'), sort: byPrice },
      ];
      for (const query of wrong) {
        await expect(documents.find(goods.name, query)).rejects.toThrow(InvalidCursor);
      }
    });

    it('refuses fields and orders that no index serves', async () => {
      const documents = await open();
      const fields = ['colour', 'price; DROP TABLE x', '"price"', 'f_price', 'id', 'tags'];
      for (const field of fields) {
        const filter = [{ field, op: 'eq', value: 1 }] as const;
        await expect(documents.find(goods.name, { filter })).rejects.toThrow(UnservedQuery);
        await expect(documents.count(goods.name, filter)).rejects.toThrow(UnservedQuery);
        const sort = [{ field, order: 'asc' }] as const;
        await expect(documents.find(goods.name, { sort })).rejects.toThrow(UnservedQuery);
      }
      await expect(documents.facets(goods.name, [], ['colour'])).rejects.toThrow(UnservedQuery);
      const words = [{ field: 'kind', op: 'words', words: ['x'] }] as const;
      await expect(documents.count(goods.name, words)).rejects.toThrow(UnservedQuery);
      const wrongWay = [{ field: 'name', order: 'desc' }] as const;
      await expect(documents.find(goods.name, { sort: wrongWay })).rejects.toThrow(UnservedQuery);
    });

    it('refuses values that are no scalars, and lives on', async () => {
      const documents = await open();
      await documents.commit(named('x'));
      const notScalars: readonly unknown[] = [
        {},
        [1],
        new Date(0),
        new Uint8Array(1),
        Number.NaN,
        Number.POSITIVE_INFINITY,
        undefined,
        10n,
        Symbol('s'),
        () => 1,
      ];
      for (const value of notScalars) {
        // JSON.parse avoids the type check, as an untyped caller would.
        const filter = JSON.parse('[{"field":"price","op":"eq"}]');
        filter[0].value = value;
        await expect(documents.find(goods.name, { filter })).rejects.toThrow();
        const operations = JSON.parse('[{"type":"put","id":"b","document":{}}]');
        Object.assign(operations[0], { collection: goods.name, document: { price: value } });
        if (value !== undefined) await expect(documents.commit(operations)).rejects.toThrow();
      }
      expect(await idsFound(documents, goods.name, {})).toEqual(['a']);
    });
  });
}
