import { late } from '@oja/contracts/models';
import { type Documents, InvalidDocument, UnknownCollection, UnservedQuery } from '@oja/platform';
import { describe, expect, it } from 'vitest';
import {
  checkpoints,
  goods,
  idsFound,
  type MakeDocuments,
  put,
  remove,
} from './documents.fixture.js';
import { fresh } from './fixture.js';

export function storing(make: MakeDocuments): void {
  describe('storing', () => {
    const data = fresh(make);

    async function open(): Promise<Documents> {
      const documents = await data.open();
      await documents.ensure([goods, checkpoints]);
      return documents;
    }

    it('gives back what was put, with null, booleans, lists and members of any name', async () => {
      const documents = await open();
      const document = {
        name: 'lg tv',
        open: false,
        price: null,
        tags: ['a', 1, true],
        deep: { toString: 1, list: [{ x: null }], text: 'half \ud800, nul \0, "quoted"' },
      };
      await documents.commit([put('a', document), put('b', {})]);
      expect(await documents.get(goods.name, 'a')).toEqual(document);
      expect(await documents.getMany(goods.name, ['b', 'none', 'a', 'b'])).toEqual([
        {},
        null,
        document,
        {},
      ]);
    });

    it('keeps one document an id, and forgets a deleted one everywhere', async () => {
      const documents = await open();
      const words = (word: string) => [{ field: 'name', op: 'words', words: [word] } as const];
      await documents.commit([put('a', { name: 'red shoe', tags: ['x'] })]);
      await documents.commit([put('a', { name: 'blue shoe', tags: ['y'] })]);
      expect(await documents.count(goods.name, words('red'))).toBe(0);
      expect(await documents.count(goods.name, words('blue'))).toBe(1);
      await documents.commit([remove('a'), remove('a'), remove('never there')]);
      expect(await documents.get(goods.name, 'a')).toBeNull();
      expect(await documents.count(goods.name, words('shoe'))).toBe(0);
      expect(await documents.facets(goods.name, [], ['tags'])).toEqual({ tags: [] });
    });

    it('has in its indexes what the documents say', async () => {
      const documents = await open();
      await documents.commit([
        put('a', { name: 'half \ud800 nul \0', open: true, price: 0.1, tags: ['x', 1, false] }),
        put('b', { name: 'red red shoe, (new)', open: null, tags: [] }),
        put('c', { kind: 'bag', rank: -1e300 }),
      ]);
      await documents.commit([put('a', { name: 'lg tv', tags: ['y'] }), remove('c'), put('d', {})]);
      expect(await documents.misindexed(goods.name)).toEqual([]);
      expect(await documents.misindexed(goods.name, ['a', 'none'])).toEqual([]);
      await expect(documents.misindexed('nowhere')).rejects.toThrow(UnknownCollection);
    });

    it('runs operations in their order, and all of them or none', async () => {
      const documents = await open();
      await documents.commit([put('a', { price: 1 }), remove('a'), put('a', { price: 2 })]);
      expect(await documents.get(goods.name, 'a')).toEqual({ price: 2 });
      const broken = [put('b', { price: 1 }), put('c', { price: [1] })];
      await expect(documents.commit(broken)).rejects.toThrow(/price/);
      const unknown = [put('b', {}), put('c', {}, 'nowhere')];
      await expect(documents.commit(unknown)).rejects.toThrow(UnknownCollection);
      expect(await documents.get(goods.name, 'b')).toBeNull();
    });

    it('commits only while every guarded document is exactly what was expected', async () => {
      const documents = await open();
      const guard = (expected: Record<string, number> | null) => [
        { collection: checkpoints.name, id: 'at', expected },
      ];
      const step = (at: number) => [
        put('a', { price: at }),
        put('at', { at, of: 1 }, checkpoints.name),
      ];
      expect(await documents.commit(step(1), guard({ at: 0, of: 1 }))).toBe('guard-failed');
      expect(await documents.commit(step(1), guard(null))).toBe('committed');
      expect(await documents.commit(step(2), guard(null))).toBe('guard-failed');
      expect(await documents.commit(step(2), guard({ at: 1 }))).toBe('guard-failed');
      expect(await documents.get(goods.name, 'a')).toEqual({ price: 1 });
      // The order of members does not matter.
      expect(await documents.commit(step(2), guard({ of: 1, at: 1 }))).toBe('committed');
      expect(await documents.get(checkpoints.name, 'at')).toEqual({ at: 2, of: 1 });
    });

    it('ensures a collection any number of times, and keeps what is in it', async () => {
      const documents = await open();
      await documents.commit([put('a', { price: 1 })]);
      const other = await data.open();
      await Promise.all([documents.ensure([goods]), other.ensure([goods, goods])]);
      expect(await documents.get(goods.name, 'a')).toEqual({ price: 1 });
      expect(await documents.collections()).toEqual([checkpoints.name, goods.name]);
    });

    it('fills an index that is declared later from the documents that are there', async () => {
      const documents = await data.open();
      await documents.ensure([{ name: goods.name, indexes: [] }]);
      await documents.commit([
        put('a', { name: 'old lg tv', price: 2, tags: ['x'] }),
        put('b', { name: 'tv stand', price: 1 }),
      ]);
      const other = await data.open();
      await other.ensure([goods]);
      await documents.commit([put('c', { name: 'tv', price: 0 })]);
      const filter = [{ field: 'name', op: 'words', words: ['tv'] } as const];
      const sort = [{ field: 'price', order: 'asc' } as const];
      for (const engine of [documents, other]) {
        expect(await idsFound(engine, goods.name, { filter, sort })).toEqual(['c', 'b', 'a']);
        const tagged = [{ field: 'tags', op: 'contains', value: 'x' } as const];
        expect(await engine.count(goods.name, tagged)).toBe(1);
      }
    });

    it('finds in both orders once an index is declared for both, wherever it is known already', async () => {
      const sorted = { kind: 'sorted', fields: [], by: ['price'] } as const;
      const documents = await data.open();
      await documents.ensure([{ name: goods.name, indexes: [{ ...sorted, order: 'asc' }] }]);
      await documents.commit([put('a', { price: 1 }), put('b', { price: 2 })]);
      const query = { sort: [{ field: 'price', order: 'desc' }] } as const;
      await expect(documents.find(goods.name, query)).rejects.toThrow(UnservedQuery);
      const other = await data.open();
      await other.ensure([{ name: goods.name, indexes: [sorted] }]);
      for (const engine of [documents, other])
        expect(await idsFound(engine, goods.name, query)).toEqual(['b', 'a']);
    });

    it.each(['alone', 'beside-others'] as const)(
      'finds by all indexes once a load %s is over, what was put before and after',
      async (loading) => {
        const loaded = { name: goods.name, indexes: late(...goods.indexes) };
        const documents = await data.open();
        await documents.ensure([loaded], { loading });
        await documents.commit([
          put('a', { name: 'old lg tv', kind: 'tv', price: 2, tags: ['x'] }),
          put('b', { name: 'tv stand', kind: 'tv', price: 1 }),
        ]);
        const other = await data.open();
        // Another process continues a load that was interrupted.
        await other.ensure([loaded], { loading });
        expect(await other.get(goods.name, 'a')).toMatchObject({ price: 2 });
        await other.commit([put('c', { name: 'tv', kind: 'tv', price: 0 }), remove('b')]);
        await documents.ensure([loaded]);
        await other.ensure([loaded], { loading });
        await documents.commit([put('d', { name: 'radio', kind: 'tv', price: 1 })]);
        const filter = [{ field: 'kind', op: 'eq', value: 'tv' } as const];
        const sort = [{ field: 'price', order: 'desc' } as const];
        for (const engine of [documents, other]) {
          expect(await idsFound(engine, goods.name, { filter, sort })).toEqual(['a', 'd', 'c']);
          expect(await engine.count(goods.name, filter)).toBe(3);
          expect(await engine.misindexed(goods.name)).toEqual([]);
        }
      },
    );

    it('counts by what is declared later what was there before, and no longer what is gone', async () => {
      const documents = await data.open();
      const counted = goods.indexes.filter(({ kind }) => kind === 'counted');
      await documents.ensure([
        { name: goods.name, indexes: goods.indexes.filter(({ kind }) => kind !== 'counted') },
      ]);
      await documents.commit([
        put('a', { kind: 'bag', open: true, price: 2 }),
        put('b', { kind: 'bag', open: true, price: 1 }),
        put('c', { kind: 'shoe', open: true }),
      ]);
      const other = await data.open();
      await other.ensure([{ name: goods.name, indexes: counted }]);
      const kinds = async () => {
        const [one, two] = await Promise.all(
          [documents, other].map((engine) =>
            engine.facets(goods.name, [{ field: 'open', op: 'eq', value: true }], ['kind']),
          ),
        );
        expect(one).toEqual(two);
        return one?.kind;
      };
      expect(await kinds()).toEqual([
        { value: 'bag', count: 2 },
        { value: 'shoe', count: 1 },
      ]);
      await documents.commit([
        put('a', { kind: 'shoe', open: true, price: 2 }),
        put('d', { kind: 'bag', open: false }),
        remove('c'),
        remove('never there'),
      ]);
      expect(await kinds()).toEqual([
        { value: 'bag', count: 1 },
        { value: 'shoe', count: 1 },
      ]);
      await other.commit([remove('b'), remove('a'), put('a', { kind: 'shoe', open: true })]);
      expect(await kinds()).toEqual([{ value: 'shoe', count: 1 }]);
      expect(await other.misindexed(goods.name)).toEqual([]);
    });

    it('drops a collection with all that belongs to it, also under its readers', async () => {
      const documents = await open();
      const other = await data.open();
      await documents.commit([put('a', { name: 'lg tv', tags: ['x'] })]);
      expect(await other.get(goods.name, 'a')).not.toBeNull();
      await documents.drop(goods.name);
      await documents.drop(goods.name);
      expect(await documents.collections()).toEqual([checkpoints.name]);
      await expect(other.get(goods.name, 'a')).rejects.toThrow(UnknownCollection);
      await expect(other.find(goods.name, {})).rejects.toThrow(UnknownCollection);
      await expect(other.commit([put('a', {})])).rejects.toThrow(UnknownCollection);
      await other.ensure([goods]);
      expect(await documents.count(goods.name, [])).toBe(0);
    });

    it('takes no name that is more than letters, digits and _', async () => {
      const documents = await open();
      const bad = ['', 'a b', 'a"; DROP TABLE x; --', 'a$b', '1a', 'é', 'sqlite_master'];
      for (const name of bad) {
        await expect(documents.ensure([{ name, indexes: [] }])).rejects.toThrow(InvalidDocument);
        const indexes = [{ kind: 'equality', fields: [name] } as const];
        await expect(documents.ensure([{ name: 'fine', indexes }])).rejects.toThrow(
          InvalidDocument,
        );
        await expect(documents.get(name, 'a')).rejects.toThrow(UnknownCollection);
      }
      expect(await documents.collections()).toEqual([checkpoints.name, goods.name]);
    });

    it('tells of commits, whoever made them, and ends when asked to', async () => {
      const documents = await open();
      const other = await data.open();
      const stop = new AbortController();
      const seen: unknown[] = [];
      for await (const _ of documents.changes(stop.signal)) {
        const at = await documents.get(checkpoints.name, 'at');
        if (seen.length === 0) await documents.commit([put('at', { at: 1 }, checkpoints.name)]);
        if (at?.at === 1) await other.commit([put('at', { at: 2 }, checkpoints.name)]);
        if (at?.at === 2) stop.abort();
        seen.push(at?.at);
      }
      expect(seen[0]).toBeUndefined();
      expect(seen.at(-1)).toBe(2);
    });
  });
}
