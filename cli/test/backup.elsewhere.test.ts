import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runOja, temporaryFolder } from '../../test/support/market.js';

const folder = temporaryFolder();
afterAll(() => folder.remove());

it.each([
  ['EVENTSTORE_URL', 'esdb://oja:hidden@127.0.0.1:1', /EventStoreDB.*oja export/, /oja import/],
  ['MONGODB_URL', 'mongodb://oja:hidden@127.0.0.1:1', /MongoDB.*mongodump/, /mongorestore/],
])('Files are not taken for a market whose %s is set', async (name, url, backUp, restore) => {
  const backup = join(folder.path, 'backup');
  const env = { [name]: url, OJA_DEMO: '1', DATA_DIR: join(folder.path, 'data') };
  for (const [command, how] of [
    ['backup', backUp],
    ['restore', restore],
  ] as const) {
    const running = runOja([command, backup], env);
    expect(await running.exited).toBe(2);
    const told = running.lines.join('\n');
    expect(told).toMatch(how);
    expect(told).not.toContain('hidden');
    expect(existsSync(backup)).toBe(false);
    expect(existsSync(env.DATA_DIR ?? '')).toBe(false);
  }
});
