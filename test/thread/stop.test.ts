import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { noRedis, startRedisServer } from '../../platform/test/contracts/redis-server.js';
import { openMarket, temporaryFolder } from '../support/market.js';

const RUNTIME = join(import.meta.dirname, '../../cli/dist/runtime/process.js');
const folder = temporaryFolder();
const server = await startRedisServer();
afterAll(async () => {
  await server?.killHard();
  await server?.stop();
  folder.remove();
});
it('ends a process that cannot close, and says so', () => {
  const source = `import { onShutdown } from ${JSON.stringify(RUNTIME)};
    onShutdown(() => new Promise(() => {}), { limitMs: 1, late: () => console.log('too late') });
    setInterval(() => {}, 2 ** 30);
    process.kill(process.pid, 'SIGTERM');`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', source]);
  expect([status, stdout.toString()]).toEqual([1, 'too late\n']);
});

if (!server) console.info(`skipped: a stop without Redis (${noRedis})`);

describe.skipIf(!server)('a market whose Redis', () => {
  it.each([
    ['is gone', () => server?.killHard()],
    ['answers nothing', () => server?.freeze()],
  ])('%s ends when it is told to', async (how, away) => {
    const env = { REDIS_URL: server?.url ?? '', OJA_DEMO: '1' };
    const market = await openMarket(join(folder.path, how), undefined, env);
    await away();
    expect(await market.stop()).toBe(0);
    await server?.killHard();
    await server?.start();
  });
});
