import { randomBytes } from 'node:crypto';
import {
  createMemoryKeys,
  createMemoryKeysData,
  KeyDestroyed,
  KeyDiffers,
  type Keys,
  WrongMasterKey,
} from '@oja/platform';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** Opens the same stored keys with different master keys. */
export interface RotationFixture {
  open(masterKey: Buffer, fallback?: Buffer): Promise<Keys>;
  remove(): Promise<void>;
}

/** The contract of every engine that stores wrapped keys, while its master key is rotated. */
export function rotationContract(name: string, make: () => Promise<RotationFixture>): void {
  describe(name, () => {
    const [old, fresh] = [randomBytes(32), randomBytes(32)];
    let fixture: RotationFixture;
    const opened: Keys[] = [];
    const open = async (masterKey: Buffer, fallback?: Buffer): Promise<Keys> => {
      const keys = await fixture.open(masterKey, fallback);
      opened.push(keys);
      return keys;
    };
    beforeEach(async () => {
      fixture = await make();
    });
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((keys) => keys.close()));
      await fixture.remove();
    });

    /** Stores keys of `count` people under the old master key; one is destroyed, null in the result. */
    async function people(count: number): Promise<ReadonlyMap<string, Buffer | null>> {
      const elsewhere = createMemoryKeys(createMemoryKeysData(old));
      const subjects = Array.from({ length: count }, (_, i) => `seller:${i}`);
      for (const subject of subjects) await elsewhere.obtain(subject);
      await elsewhere.destroy('seller:0');
      const keys = await open(old);
      for (let kept = await elsewhere.kept(null); kept.length > 0; ) {
        await keys.adopt(kept);
        kept = await elsewhere.kept(kept.at(-1)?.subject ?? null);
      }
      const all = await elsewhere.findMany(subjects);
      return new Map(subjects.map((subject, i) => [subject, all[i] ?? null]));
    }
    async function expectAll(keys: Keys, all: ReadonlyMap<string, Buffer | null>): Promise<void> {
      expect(await keys.findMany([...all.keys()])).toEqual([...all.values()]);
      expect(await keys.isDestroyed('seller:0')).toBe(true);
    }

    it('opens with both master keys, and ends under the new one alone', async () => {
      const all = await people(20);
      const keys = await open(fresh, old);
      await expectAll(keys, all);
      // A dry run writes nothing: the old master key must still open everything.
      expect(await keys.rewrap({ dryRun: true })).toMatchObject({ keys: 19, rewrapped: 19 });
      await expectAll(await open(old), all);
      const made = await keys.obtain('seller:new');
      expect(await keys.rewrap()).toEqual({ keys: 20, rewrapped: 19, lingers: false });
      const after = await open(fresh);
      await expectAll(after, all);
      expect(await after.find('seller:new')).toEqual(made);
      await expect(open(old)).rejects.toThrow(WrongMasterKey);
      expect(await after.rewrap()).toEqual({ keys: 20, rewrapped: 0, lingers: false });
    });

    it('is refused to who has one of the two, from the first key under the new one to the end', async () => {
      await people(3);
      await (await open(fresh, old)).obtain('seller:new');
      for (const one of [old, fresh]) await expect(open(one)).rejects.toThrow(WrongMasterKey);
      await (await open(old, fresh)).obtain('seller:other');
      const back = await open(old, fresh);
      expect(await back.rewrap()).toMatchObject({ keys: 4, rewrapped: 1 });
      await expect(open(fresh)).rejects.toThrow(WrongMasterKey);
      expect(await (await open(old)).find('seller:new')).toHaveLength(32);
    });

    it('goes on where it was cut short, after any page', async () => {
      const all = await people(3_500);
      for (const pages of [1, 2, 3, 4]) {
        const cut = new AbortController();
        let seen = 0;
        const onProgress = () => {
          seen += 1;
          if (seen === pages) cut.abort(new Error('cut short'));
        };
        const keys = await open(fresh, old);
        await expect(keys.rewrap({ signal: cut.signal, onProgress })).rejects.toThrow('cut short');
        await expectAll(keys, all);
        for (const one of [old, fresh]) await expect(open(one)).rejects.toThrow(WrongMasterKey);
      }
      await (await open(fresh, old)).rewrap();
      await expectAll(await open(fresh), all);
    });

    it('gives out and takes in what is under either, under its own', async () => {
      const all = await people(3);
      const other = createMemoryKeys(createMemoryKeysData(fresh));
      const keys = await open(fresh, old);
      await other.adopt(await keys.kept(null));
      expect(await other.findMany([...all.keys()])).toEqual([...all.values()]);
      const older = createMemoryKeys(createMemoryKeysData(old));
      const key = await older.obtain('seller:older');
      await keys.adopt(await older.kept(null));
      await keys.rewrap();
      expect(await (await open(fresh)).find('seller:older')).toEqual(key);
    });

    it('does not bring back who is destroyed meanwhile', async () => {
      await people(5);
      const [keys, other] = [await open(fresh, old), await open(fresh, old)];
      let destroying: Promise<boolean> | null = null;
      await keys.rewrap({
        onProgress: () => {
          destroying ??= other.destroy('seller:1');
        },
      });
      await destroying;
      expect(await keys.find('seller:1')).toBeNull();
      expect(await keys.isDestroyed('seller:1')).toBe(true);
    });
  });
}

export interface KeysFixture {
  /** Opens the same keys again, as another process or a restart would. */
  open(): Promise<Keys>;
  /** The master key that wraps the keys. */
  readonly masterKey: Buffer;
  remove(): Promise<void>;
}

/** The contract of every engine of the `Keys` port. */
export function keysContract(name: string, make: () => Promise<KeysFixture>): void {
  describe(name, () => {
    let fixture: KeysFixture;
    let keys: Keys;
    beforeEach(async () => {
      fixture = await make();
      keys = await fixture.open();
    });
    afterEach(async () => {
      await keys.close();
      await fixture.remove();
    });

    it('makes a key of 32 bytes at the first call and keeps it', async () => {
      expect(await keys.find('seller:1')).toBeNull();
      const key = await keys.obtain('seller:1');
      expect(key).toHaveLength(32);
      expect(await keys.obtain('seller:1')).toEqual(key);
      expect(await keys.find('seller:1')).toEqual(key);
      expect(await keys.obtain('seller:2')).not.toEqual(key);
    });

    it('gives 100 who ask at once, in two processes, the same key', async () => {
      const other = await fixture.open();
      const all = await Promise.all(
        Array.from({ length: 100 }, (_, i) => (i % 2 ? other : keys).obtain('seller:1')),
      );
      expect(new Set(all.map((key) => key.toString('hex'))).size).toBe(1);
      await other.close();
    });

    it('finds many in the order asked', async () => {
      const [a, b] = [await keys.obtain('seller:a'), await keys.obtain('seller:b')];
      expect(await keys.findMany(['seller:b', 'seller:c', 'seller:a', 'seller:b'])).toEqual([
        b,
        null,
        a,
        b,
      ]);
    });

    it('gives a destroyed subject no second key, here or elsewhere', async () => {
      const other = await fixture.open();
      await keys.obtain('seller:1');
      const kept = await keys.obtain('seller:2');
      expect(await keys.destroy('seller:1')).toBe(true);
      expect(await other.find('seller:1')).toBeNull();
      expect(await other.isDestroyed('seller:1')).toBe(true);
      await expect(other.obtain('seller:1')).rejects.toThrow(KeyDestroyed);
      await expect(keys.obtain('seller:1')).rejects.toThrow(KeyDestroyed);
      expect(await keys.find('seller:2')).toEqual(kept);
      expect(await keys.isDestroyed('seller:2')).toBe(false);
      await other.close();
    });

    it('may be told to destroy again, or what never was', async () => {
      await keys.obtain('seller:1');
      expect(await keys.destroy('seller:1')).toBe(true);
      expect(await keys.destroy('seller:1')).toBe(false);
      expect(await keys.destroy('seller:9')).toBe(false);
      await expect(keys.obtain('seller:9')).rejects.toThrow(KeyDestroyed);
    });

    it('remembers all of it after a restart', async () => {
      const key = await keys.obtain('seller:1');
      await keys.obtain('seller:2');
      await keys.destroy('seller:2');
      await keys.close();
      keys = await fixture.open();
      expect(await keys.find('seller:1')).toEqual(key);
      expect(await keys.isDestroyed('seller:2')).toBe(true);
    });

    const others = (masterKey: Buffer): Keys => createMemoryKeys(createMemoryKeysData(masterKey));

    it('gives all it keeps by subject, page by page, and no key in the clear', async () => {
      const key = await keys.obtain('seller:1');
      await keys.obtain('transaction:2');
      await keys.obtain('contact:3');
      await keys.destroy('seller:0');
      const first = await keys.kept(null, 2);
      const rest = await keys.kept(first.at(-1)?.subject ?? null);
      expect([...first, ...rest].map(({ subject }) => subject)).toEqual([
        'contact:3',
        'seller:0',
        'seller:1',
        'transaction:2',
      ]);
      expect(first[1]).toEqual({ subject: 'seller:0', wrapped: null });
      const wrapped = Buffer.from(rest[0]?.wrapped ?? '', 'base64');
      expect(wrapped.length).toBeGreaterThan(key.length);
      expect(wrapped.includes(key)).toBe(false);
      expect(await keys.kept('transaction:2')).toEqual([]);
    });

    it('takes over what others have kept, and who is erased on either side stays erased', async () => {
      const elsewhere = others(fixture.masterKey);
      const key = await elsewhere.obtain('seller:1');
      await elsewhere.obtain('seller:2');
      await elsewhere.destroy('seller:3');
      await keys.destroy('seller:2');
      await keys.obtain('seller:3');
      const kept = await elsewhere.kept(null);
      await keys.adopt(kept);
      await keys.adopt(kept);
      expect(await keys.find('seller:1')).toEqual(key);
      for (const subject of ['seller:2', 'seller:3']) {
        expect(await keys.find(subject)).toBeNull();
        expect(await keys.isDestroyed(subject)).toBe(true);
      }
      const back = others(fixture.masterKey);
      await back.adopt(await keys.kept(null));
      expect(await back.find('seller:1')).toEqual(key);
      expect(await back.isDestroyed('seller:2')).toBe(true);
    });

    it('takes nothing where one of them has another key, or was wrapped under another', async () => {
      const own = await keys.obtain('seller:2');
      const elsewhere = others(fixture.masterKey);
      await elsewhere.obtain('seller:1');
      await elsewhere.obtain('seller:2');
      await expect(keys.adopt(await elsewhere.kept(null))).rejects.toThrow(KeyDiffers);
      const stranger = others(randomBytes(32));
      await stranger.obtain('seller:1');
      await expect(keys.adopt(await stranger.kept(null))).rejects.toThrow(WrongMasterKey);
      expect(await keys.find('seller:1')).toBeNull();
      expect(await keys.find('seller:2')).toEqual(own);
    });

    it.each<readonly [string, unknown]>([
      ['true', true],
      ['an object', {}],
      ['a date', new Date(0)],
      ['bytes', new Uint8Array(1)],
      ['a list', ['seller:1']],
      ['undefined', undefined],
      ['a function', () => 'a'],
      ['a symbol', Symbol('a')],
    ])('refuses %s as a subject, and lives on', async (_, subject) => {
      for (const call of [keys.obtain, keys.find, keys.destroy, keys.isDestroyed]) {
        await expect(Reflect.apply(call, keys, [subject])).rejects.toThrow();
      }
      expect(await keys.obtain('seller:1')).toHaveLength(32);
    });
  });
}
