import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runOja, temporaryFolder } from '../../test/support/market.js';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const dataDir = join(folder.path, 'data');
const servers = {
  EVENTSTORE_URL: 'esdb://oja:hidden@127.0.0.1:1',
  MONGODB_URL: 'mongodb://oja:hidden@127.0.0.1:1',
} as const;
const cloudinary = {
  CLOUDINARY_URL: 'https://api.cloudinary.com/v1_1/oja/image/upload',
  CLOUDINARY_PRESET: 'oja',
};

/** What a command says that must refuse, and make nothing. */
async function refused(command: string, env: Readonly<Record<string, string>>): Promise<string> {
  const backup = join(folder.path, 'backup');
  const running = runOja([command, backup], { ...env, OJA_DEMO: '1', DATA_DIR: dataDir });
  expect(await running.exited).toBe(2);
  expect(existsSync(backup)).toBe(false);
  expect(existsSync(dataDir)).toBe(false);
  return running.lines.join('\n');
}

describe.each([
  [['EVENTSTORE_URL'], [/EventStoreDB/, /state\.db, keys\.db/], [/mongo/i, /log\.db/]],
  [['MONGODB_URL'], [/mongodump --oplog/, /log\.db.*oja export/], [/EventStoreDB/, /state\.db/]],
  [
    ['EVENTSTORE_URL', 'MONGODB_URL'],
    [/EventStoreDB.*oja export.*MongoDB.*mongodump --oplog/],
    [/log\.db/, /state\.db/],
  ],
] as const)('A market with %j', (names, named, unnamed) => {
  const env = Object.fromEntries(names.map((name) => [name, servers[name]]));

  it('is not backed up by its files alone, and is told all that must be copied', async () => {
    const told = await refused('backup', env);
    for (const part of named) expect(told).toMatch(part);
    for (const part of unnamed) expect(told).not.toMatch(part);
    expect(told).toContain(`pictures in ${dataDir}`);
    expect(told).not.toContain('hidden');
  });

  it('is told how all of it comes back, and that erasures are to be done again', async () => {
    const told = await refused('restore', env);
    expect(told).toMatch(/EVENTSTORE/.test(names.join()) ? /oja import/ : /log\.db.*oja import/);
    expect(told.includes('mongorestore --oplogReplay')).toBe(env.MONGODB_URL !== undefined);
    expect(told.includes('state.db, keys.db')).toBe(env.MONGODB_URL === undefined);
    expect(told).toContain(`pictures in ${dataDir}`);
    expect(told).toMatch(/erased since .*erase them again/);
    expect(told).not.toContain('hidden');
  });

  it('is told nothing of pictures that another host keeps', async () => {
    expect(await refused('backup', { ...env, ...cloudinary })).not.toMatch(/pictures/);
  });
});

it('A drill is refused with the same words', async () => {
  const running = runOja(['drill'], { ...servers, OJA_DEMO: '1', DATA_DIR: dataDir });
  expect(await running.exited).toBe(2);
  expect(running.lines.join('\n')).toContain(`pictures in ${dataDir}`);
});
