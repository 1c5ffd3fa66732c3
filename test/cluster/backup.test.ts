import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { files } from '@oja/platform';
import { afterAll, expect, it } from 'vitest';
import { oja } from '../../cli/test/support/oja.js';
import { noRedis, startRedisServer } from '../../platform/test/contracts/redis-server.js';
import { openMarket, temporaryFolder } from '../support/market.js';
import { copySampleMarket } from '../support/sample-market.js';

const server = await startRedisServer();
const folder = temporaryFolder();
afterAll(async () => {
  await server?.stop();
  folder.remove();
});
if (!server) console.info(`skipped: backups of a market with Redis (${noRedis})`);

/** A demo only because this says so: it has an engine that is a server. */
const env = { REDIS_URL: server?.url ?? '', OJA_DEMO: '1' };
const home = join(folder.path, 'home');

it.skipIf(!server)(
  'a market whose queues are in Redis is backed up, drilled and restored, also while Redis is away',
  async () => {
    // As if it had never had its queues in a file.
    copySampleMarket(home, [files.jobs]);
    const market = await openMarket(home, undefined, env);
    expect(existsSync(join(home, files.jobs))).toBe(false);
    const running = join(folder.path, 'running');
    expect(await oja(home, ['backup', running], env)).toMatchObject({ code: 0 });
    expect(await market.stop()).toBe(0);
    await server?.killHard();
    const away = join(folder.path, 'away');
    expect(await oja(home, ['backup', away], env)).toMatchObject({ code: 0 });
    expect(await oja(home, ['drill', '--in', folder.path], env)).toMatchObject({ code: 0 });
    expect(existsSync(join(home, files.jobs))).toBe(false);

    const places = Object.entries({ onRedis: env, onFiles: {} });
    for (const [name, settings] of places)
      expect(await oja(join(folder.path, name), ['restore', away], settings)).toMatchObject({
        code: 0,
      });
    await server?.start();
    for (const [name, settings] of places) {
      const to = join(folder.path, name);
      const restored = await openMarket(to, undefined, settings);
      expect((await fetch(`${restored.url}/v1/products/search?limit=1`)).status).toBe(200);
      expect(await restored.stop()).toBe(0);
      expect(await oja(to, ['verify'], settings)).toMatchObject({ code: 0 });
    }
  },
  240_000,
);

it.skipIf(!server)('a file of queues from before a market had Redis is no part of it', async () => {
  const before = join(folder.path, 'before');
  cpSync(join(folder.path, 'onFiles'), before, { recursive: true });
  expect(existsSync(join(before, files.jobs))).toBe(true);
  const backup = join(folder.path, 'of-before');
  expect(await oja(before, ['backup', backup], env)).toMatchObject({ code: 0 });
  expect(readdirSync(backup)).not.toContain(files.jobs);
  rmSync(before, { recursive: true });
});
