import { join } from 'node:path';
import { createEmbeddedState, createMongoState, openSql, StoreUnavailable } from '@oja/platform';
import { describe, expect, it } from 'vitest';
import { runContract } from './engines.js';
import { temporaryFolder } from './folders.js';
import { mongoDatabase, noMongo } from './mongo.fixture.js';
import { type StateFixture, stateContract } from './state.js';

async function embedded(): Promise<StateFixture> {
  const folder = await temporaryFolder();
  const file = join(folder.path, 'state');
  return { open: () => createEmbeddedState({ file }), remove: folder.remove };
}

async function mongoState(server: string): Promise<StateFixture> {
  const { url, remove } = mongoDatabase(server);
  return { open: () => createMongoState({ url }), remove };
}

const url = process.env.MONGODB_URL;

runContract('State', stateContract, [
  { name: 'SQLite', make: embedded },
  url ? { name: 'MongoDB', make: () => mongoState(url) } : { name: 'MongoDB', missing: noMongo },
]);

describe('State in a SQLite file', () => {
  it('acknowledges no entry that a full disk has not taken', async () => {
    const folder = await temporaryFolder();
    const state = await createEmbeddedState({ file: join(folder.path, 'state'), maxPages: 30 });
    const value = { text: 'x'.repeat(4_000) };
    const results = await Promise.allSettled(
      Array.from({ length: 100 }, (_, i) => state.put('upload', `key ${i}`, value, 0)),
    );
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(StoreUnavailable);
    }
    const kept = results.filter(({ status }) => status === 'fulfilled');
    expect(kept.length).toBeLessThan(100);
    expect(await state.list('upload', '', 0)).toHaveLength(kept.length);
    await state.close();
    await folder.remove();
  });

  it.each([
    ['a value', 'bytes that are no text', "value = CAST(x'7bff7d' AS TEXT)"],
    ['a value', 'text that is no JSON', "value = '{'"],
    ['a key', 'bytes that are no text', "key = CAST(x'6bff' AS TEXT)"],
  ])('names the file where %s has become %s, and takes no more writes', async (_, __, change) => {
    const folder = await temporaryFolder();
    const file = join(folder.path, 'state.db');
    const state = await createEmbeddedState({ file });
    await state.put('space', 'k', {}, 0);
    const sql = openSql(file, { synchronous: 'FULL' });
    sql.exec(`UPDATE entries SET ${change}`);
    sql.close();
    const isDamaged = /state\.db is damaged \(an entry is no (text|JSON)\)/;
    await expect(state.list('space', '', 0)).rejects.toThrow(isDamaged);
    if (change.startsWith('value'))
      await expect(state.get('space', 'k', 0)).rejects.toThrow(isDamaged);
    await expect(state.put('space', 'other', {}, 0)).rejects.toThrow(isDamaged);
    await state.close();
    await folder.remove();
  });
});
