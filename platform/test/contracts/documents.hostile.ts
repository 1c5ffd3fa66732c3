import { StoreUnavailable } from '@oja/platform';
import { describe, expect, it } from 'vitest';
import { startChild } from './children.js';
import { checkpoints, goods, type MakeDocuments, put } from './documents.fixture.js';
import { fresh } from './fixture.js';

export function hostileMachine(make: MakeDocuments): void {
  describe('on a hostile machine', () => {
    const data = fresh(make);

    it('lets exactly one of two processes through at each step of a checkpoint', async () => {
      const documents = await data.open();
      await documents.ensure([goods, checkpoints]);
      const children = ['a', 'b'].map((name) =>
        startChild('documentsRacer.mjs', data.fixture().address, name, '200'),
      );
      const lines = await Promise.all(
        children.map(async (child) => {
          const won: number[] = [];
          for await (const line of child.lines) won.push(Number(line));
          await child.finish();
          return won;
        }),
      );
      const steps = lines.flat().sort((one, other) => one - other);
      expect(steps).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
      expect(await documents.get(checkpoints.name, 'at')).toEqual({ at: 200 });
      expect(await documents.count(goods.name, [])).toBe(200);
    });

    it('keeps whole commits only when a process is killed in the middle', async () => {
      const documents = await data.open();
      await documents.ensure([goods, checkpoints]);
      const child = startChild('documentsRacer.mjs', data.fixture().address, 'a', '1000000');
      let acknowledged = 0;
      while (acknowledged < 30) acknowledged = Number(await child.nextLine());
      await child.killHard();
      const at = (await documents.get(checkpoints.name, 'at'))?.at;
      expect(at).toBeGreaterThanOrEqual(acknowledged);
      expect(await documents.count(goods.name, [])).toBe(at);
      const commit = documents.commit([put('after', { name: 'lg' })]);
      expect(await commit).toBe('committed');
    });

    it('acknowledges nothing that a full disk has not taken', async (test) => {
      const { openOnSmallDisk } = data.fixture();
      if (!openOnSmallDisk) return test.skip('this engine has no small disk');
      const documents = data.opened(await openOnSmallDisk());
      await documents.ensure([goods]);
      const acknowledged: string[] = [];
      let failure: unknown = null;
      for (let index = 0; failure === null; index += 1) {
        const operation = put(`id-${index}`, { name: 'lg tv', text: 'x'.repeat(4_000) });
        await documents.commit([operation]).then(
          () => acknowledged.push(operation.id),
          (error: unknown) => {
            failure = error;
          },
        );
      }
      expect(failure).toBeInstanceOf(StoreUnavailable);
      const filter = [{ field: 'name', op: 'words', words: ['lg'] }] as const;
      expect(await documents.count(goods.name, filter)).toBe(acknowledged.length);
      const again = await data.open();
      const stored = await again.getMany(goods.name, acknowledged);
      expect(stored).not.toContain(null);
      expect(await again.count(goods.name, [])).toBe(acknowledged.length);
      expect(await again.commit([put('after', {})])).toBe('committed');
    });

    it('has everything after a restart, without building anything again', async () => {
      const before = await data.fixture().open();
      await before.ensure([goods]);
      await before.commit([put('a', { name: 'lg tv', price: 1, tags: ['x'] })]);
      await before.close();
      const after = await data.open();
      const filter = [
        { field: 'name', op: 'words', words: ['lg'] },
        { field: 'tags', op: 'contains', value: 'x' },
        { field: 'price', op: 'gte', value: 1 },
      ] as const;
      expect((await after.find(goods.name, { filter })).items).toHaveLength(1);
    });
  });
}
