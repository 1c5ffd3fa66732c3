import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Documents } from '@oja/platform';
import * as platform from '@oja/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  checkpoints,
  goods as declared,
  put,
} from '../../platform/test/contracts/documents.fixture.js';
import { createStandIn } from '../../platform/test/contracts/mongo-stand-in.js';
import { temporaryFolder } from '../support/market.js';
import { besidePrevious, buildRelease, type Release } from './previous.js';

/** The MongoDB engines that both releases export. */
type Engines = Pick<
  typeof platform,
  'createMongoDocuments' | 'createMongoKeys' | 'createMongoState'
>;

besidePrevious('A MongoDB', openWhatIsThere);

/**
 * The declaration that both releases support: newer kinds of indexes occur only in collections that
 * the earlier one does not know.
 */
const NEWER: readonly string[] = ['counted', 'text'];
const goods = {
  ...declared,
  indexes: declared.indexes.filter(({ kind }) => !NEWER.includes(kind)),
};

const NAMES = ['red bag', 'blue bag', 'red lamp', 'old lamp'] as const;
const good = (id: string, name: string, price: number) =>
  put(id, { name, price, kind: name.split(' ')[1] ?? '', place: 'Nsukka', tags: [name] });
/** A checkpoint, which read models store beside their documents. */
const whereTo = (at: number) => put('at', { at }, checkpoints.name);

function openWhatIsThere(release: Release): void {
  describe(`A MongoDB of ${release.version}, on a stand-in`, () => {
    const folder = temporaryFolder();
    const url = 'mongodb://nowhere/oja';
    const { connect } = createStandIn();
    /** The previous release closes the client itself; here that must do nothing. */
    const closing = async () => {
      const connection = await connect();
      return { ...connection, client: Object.assign(connection.client, { close: async () => {} }) };
    };
    let earlier: Engines;

    beforeAll(async () => {
      buildRelease(release, folder.path);
      const built = pathToFileURL(join(folder.path, 'platform/dist/index.js'));
      earlier = (await import(built.href)) as Engines;
    }, 600_000);
    afterAll(() => folder.remove());

    /** Ids, cheapest first. */
    const found = async (documents: Documents, filter: Parameters<Documents['count']>[1]) => {
      const sort = [{ field: 'price', order: 'asc' }] as const;
      const { items } = await documents.find(goods.name, { filter, sort });
      return items.map(({ id }) => id);
    };
    const ofKind = (value: string) => [{ field: 'kind', op: 'eq', value }] as const;
    const named = (word: string) => [{ field: 'name', op: 'words', words: [word] }] as const;

    it('is read, found in and gone on with, while the earlier one still reads', async () => {
      const old = await earlier.createMongoDocuments({ url, connect: closing });
      await old.ensure([goods, checkpoints]);
      const all = NAMES.map((name, place) => good(`${place}`, name, 100 + place));
      await old.commit([...all, whereTo(4)]);

      const now = await platform.createMongoDocuments({ url, connect });
      await now.ensure([goods, checkpoints]);
      expect(await now.get(checkpoints.name, 'at')).toEqual({ at: 4 });
      expect(await found(now, ofKind('lamp'))).toEqual(['2', '3']);
      expect(await found(now, named('red'))).toEqual(['0', '2']);
      expect(await now.count(goods.name, named('lam'))).toBe(2);
      expect(await now.misindexed(goods.name)).toEqual([]);

      const expected = await now.get(checkpoints.name, 'at');
      const guards = [{ collection: checkpoints.name, id: 'at', expected }];
      expect(await now.commit([good('4', 'new lamp', 90), whereTo(5)], guards)).toBe('committed');
      expect(await old.get(checkpoints.name, 'at')).toEqual({ at: 5 });
      expect(await found(old, ofKind('lamp'))).toEqual(['4', '2', '3']);

      // Undo the deploy and repeat it: documents that the earlier release wrote meanwhile must be
      // found by every index.
      expect(await old.commit([good('5', 'tall lamp', 80), whereTo(6)])).toBe('committed');
      await now.close();
      const again = await platform.createMongoDocuments({ url, connect });
      await again.ensure([goods, checkpoints]);
      expect(await found(again, ofKind('lamp'))).toEqual(['5', '4', '2', '3']);
      expect(await found(again, named('tall'))).toEqual(['5']);
      await Promise.all([old.close(), again.close()]);
    });

    it('keeps passwords, sessions and what waits, for both', async () => {
      const at = 1_700_000_000_000;
      const old = await earlier.createMongoState({ url, connect: closing });
      const first = await old.put('sessions', 'a/1', { of: 'Ada' }, at, { expiresAt: at + 1_000 });
      await old.put('passwords', 'ada', { hash: 'x' }, at);
      const now = await platform.createMongoState({ url, connect });
      expect(await now.get('sessions', 'a/1', at)).toEqual({
        key: 'a/1',
        value: { of: 'Ada' },
        version: first,
        expiresAt: at + 1_000,
      });
      expect(await now.get('sessions', 'a/1', at + 1_000)).toBeNull();
      expect(await now.put('passwords', 'ada', { hash: 'y' }, at, { if: 'absent' })).toBeNull();
      const second = await now.put('sessions', 'a/1', { of: 'Ada', n: 2 }, at, { if: first ?? 0 });
      expect(await old.put('sessions', 'a/1', { of: 'Eve' }, at, { if: first ?? 0 })).toBeNull();
      expect(await old.get('sessions', 'a/1', at)).toMatchObject({ version: second });
      expect((await now.list('sessions', 'a/', at)).map(({ key }) => key)).toEqual(['a/1']);
      await Promise.all([old.close(), now.close()]);
    });

    it('opens what was sealed under its keys, and knows who was forgotten', async () => {
      const masterKey = randomBytes(32);
      const old = await earlier.createMongoKeys({ url, masterKey, connect: closing });
      const ada = await old.obtain('seller:ada');
      await old.obtain('seller:eve');
      await old.destroy('seller:eve');
      const now = await platform.createMongoKeys({ url, masterKey, connect });
      expect(await now.find('seller:ada')).toEqual(ada);
      expect(await now.isDestroyed('seller:eve')).toBe(true);
      const bisi = await now.obtain('seller:bisi');
      expect(await old.find('seller:bisi')).toEqual(bisi);
      await now.destroy('seller:ada');
      expect(await old.isDestroyed('seller:ada')).toBe(true);
      await Promise.all([old.close(), now.close()]);
    });
  });
}
