import { afterAll, expect, it } from 'vitest';
import { noRedis, startRedisServer } from '../../platform/test/contracts/redis-server.js';
import { freePort, runOja, temporaryFolder } from '../support/market.js';

const server = await startRedisServer();
afterAll(() => server?.stop());
if (!server) console.info(`skipped: a start on engines of which one is away (${noRedis})`);

it.skipIf(!server)(
  'a start ends where one engine answers and another does not, and says which',
  async () => {
    const folder = temporaryFolder();
    const nobody = `mongodb://127.0.0.1:${await freePort()}/oja?serverSelectionTimeoutMS=500`;
    const running = runOja(['start', 'projector'], {
      ...{ OJA_DEMO: '1', PUBLIC_URL: 'http://localhost', PORT: `${await freePort()}` },
      ...{ DATA_DIR: folder.path, REDIS_URL: server?.url ?? '', MONGODB_URL: nobody },
    });
    try {
      expect(await running.exited).toBe(1);
      expect(running.lines.at(-1)).toContain('MongoDB');
    } finally {
      await running.kill();
      folder.remove();
    }
  },
);
