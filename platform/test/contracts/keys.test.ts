import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createEmbeddedKeys,
  createMongoKeys,
  destroyedIn,
  KeyDestroyed,
  KeyLingers,
  openSql,
  StoreUnavailable,
  WrongMasterKey,
} from '@oja/platform';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runContract } from './engines.js';
import { temporaryFolder } from './folders.js';
import { type KeysFixture, keysContract, type RotationFixture, rotationContract } from './keys.js';
import { mongoDatabase, noMongo } from './mongo.fixture.js';

async function embedded(): Promise<KeysFixture> {
  const folder = await temporaryFolder();
  const masterKey = randomBytes(32);
  const file = join(folder.path, 'keys');
  return { open: () => createEmbeddedKeys({ file, masterKey }), masterKey, remove: folder.remove };
}

async function mongoKeys(server: string): Promise<KeysFixture> {
  const masterKey = randomBytes(32);
  const { url, remove } = mongoDatabase(server);
  return { open: () => createMongoKeys({ url, masterKey }), masterKey, remove };
}

const url = process.env.MONGODB_URL;

runContract('Keys', keysContract, [
  { name: 'SQLite', make: embedded },
  url ? { name: 'MongoDB', make: () => mongoKeys(url) } : { name: 'MongoDB', missing: noMongo },
]);

async function embeddedRotation(): Promise<RotationFixture> {
  const folder = await temporaryFolder();
  const file = join(folder.path, 'keys');
  return {
    open: (masterKey, fallback) =>
      createEmbeddedKeys({ file, masterKey, fallback: fallback ?? null }),
    remove: folder.remove,
  };
}

async function mongoRotation(server: string): Promise<RotationFixture> {
  const { url, remove } = mongoDatabase(server);
  const open = (masterKey: Buffer, fallback?: Buffer) =>
    createMongoKeys({ url, masterKey, fallback: fallback ?? null });
  return { open, remove };
}

runContract('Rotation of the master key', rotationContract, [
  { name: 'SQLite', make: embeddedRotation },
  url ? { name: 'MongoDB', make: () => mongoRotation(url) } : { name: 'MongoDB', missing: noMongo },
]);

describe('Keys in a SQLite file', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let file: string;
  const masterKey = randomBytes(32);
  beforeEach(async () => {
    folder = await temporaryFolder();
    file = join(folder.path, 'keys');
  });
  afterEach(() => folder.remove());

  async function bytesOnDisk(): Promise<Buffer> {
    const names = await readdir(folder.path);
    return Buffer.concat(await Promise.all(names.map((name) => readFile(join(folder.path, name)))));
  }

  function wrappedKey(subject: string): Buffer {
    const sql = openSql(file, { readonly: true, synchronous: 'FULL' });
    const row = sql.get<{ wrapped: Buffer }>('SELECT wrapped FROM keys WHERE subject = ?', [
      subject,
    ]);
    sql.close();
    if (!row) throw new Error(`${subject} has no key`);
    return row.wrapped;
  }

  it.each(['keys', 'destroyed'])(
    'names the file where a subject of %s is no text any more',
    async (table) => {
      const keys = await createEmbeddedKeys({ file, masterKey });
      await keys.obtain('seller:1');
      await keys.obtain('seller:2');
      await keys.destroy('seller:2');
      const sql = openSql(file, { synchronous: 'FULL' });
      sql.exec(`UPDATE ${table} SET subject = CAST(x'73ff' AS TEXT)`);
      sql.close();
      const isDamaged = /keys is damaged \(a subject is no text\)/;
      await expect(keys.kept(null, 10)).rejects.toThrow(isDamaged);
      await keys.close();
      if (table === 'destroyed') expect(() => destroyedIn(file)).toThrow(isDamaged);
    },
  );

  it('holds no key in the clear, and no trace of a destroyed one in file or WAL', async () => {
    const keys = await createEmbeddedKeys({ file, masterKey });
    const key = await keys.obtain('seller:1');
    for (let i = 2; i < 40; i += 1) await keys.obtain(`seller:${i}`);
    const wrapped = wrappedKey('seller:1');
    const before = await bytesOnDisk();
    expect(before.includes(wrapped)).toBe(true);
    expect(before.includes(key)).toBe(false);
    expect(before.includes(masterKey)).toBe(false);
    await keys.destroy('seller:1');
    expect((await bytesOnDisk()).includes(wrapped)).toBe(false);
    await keys.close();
    expect((await bytesOnDisk()).includes(wrapped)).toBe(false);
  });

  it('says that a key is destroyed only when no reader holds on to it any more', async () => {
    const keys = await createEmbeddedKeys({ file, masterKey });
    await keys.obtain('seller:1');
    const wrapped = wrappedKey('seller:1');
    const reader = openSql(file, { readonly: true, synchronous: 'FULL' });
    reader.exec('BEGIN');
    reader.get('SELECT subject FROM keys');
    let done = false;
    const destroying = keys.destroy('seller:1').then(() => {
      done = true;
    });
    // These are written while the truncate waits: other people's keys do not wait for the reader.
    await keys.obtain('seller:2');
    await keys.obtain('seller:3');
    expect(done).toBe(false);
    expect(await keys.find('seller:1')).toBeNull();
    reader.exec('COMMIT');
    await destroying;
    expect((await bytesOnDisk()).includes(wrapped)).toBe(false);
    reader.close();
    await keys.close();
  });

  it('waits no longer than that for a reader that never ends, and ends it when asked again', async () => {
    const keys = await createEmbeddedKeys({ file, masterKey, lingerMs: 50 });
    await keys.obtain('seller:1');
    const wrapped = wrappedKey('seller:1');
    const reader = openSql(file, { readonly: true, synchronous: 'FULL' });
    reader.exec('BEGIN');
    reader.get('SELECT subject FROM keys');
    await expect(keys.destroy('seller:1')).rejects.toThrow(KeyLingers);
    expect(await keys.find('seller:1')).toBeNull();
    await expect(keys.obtain('seller:1')).rejects.toThrow(KeyDestroyed);
    await expect(keys.destroy('seller:1')).rejects.toThrow(KeyLingers);
    expect(await keys.obtain('seller:2')).toHaveLength(32);
    reader.exec('COMMIT');
    await keys.destroy('seller:1');
    reader.close();
    expect((await bytesOnDisk()).includes(wrapped)).toBe(false);
    await keys.close();
  });

  it('keeps nothing that the old master key opens, in file or WAL, once it is rotated', async () => {
    const keys = await createEmbeddedKeys({ file, masterKey });
    for (let i = 0; i < 40; i += 1) await keys.obtain(`seller:${i}`);
    const before = Array.from({ length: 40 }, (_, i) => wrappedKey(`seller:${i}`));
    await keys.close();
    const rotated = await createEmbeddedKeys({
      file,
      masterKey: randomBytes(32),
      fallback: masterKey,
    });
    expect(await rotated.rewrap()).toMatchObject({ rewrapped: 40, lingers: false });
    const bytes = await bytesOnDisk();
    expect(before.filter((wrapped) => bytes.includes(wrapped))).toEqual([]);
    await rotated.close();
  });

  it('refuses another master key, and one of the wrong length', async () => {
    await (await createEmbeddedKeys({ file, masterKey })).close();
    const open = (key: Buffer) => createEmbeddedKeys({ file, masterKey: key });
    await expect(open(randomBytes(32))).rejects.toThrow(WrongMasterKey);
    await expect(open(randomBytes(16))).rejects.toThrow(RangeError);
    await (await open(masterKey)).close();
  });

  it('acknowledges no key that a full disk has not taken', async () => {
    const keys = await createEmbeddedKeys({ file, masterKey, maxPages: 12 });
    const subjects = Array.from({ length: 400 }, (_, i) => `seller:${i}`);
    const results = await Promise.allSettled(subjects.map((subject) => keys.obtain(subject)));
    const found = await keys.findMany(subjects);
    expect(results.some(({ status }) => status === 'rejected')).toBe(true);
    results.forEach((result, index) => {
      if (result.status === 'fulfilled') expect(found[index]).toEqual(result.value);
      else expect(result.reason).toBeInstanceOf(StoreUnavailable);
    });
    await keys.close();
  });
});
