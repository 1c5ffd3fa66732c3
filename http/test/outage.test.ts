import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, StoreUnavailable } from '@oja/platform';
import { afterAll, expect, it } from 'vitest';
import { startHarness } from './harness.js';

const folder = mkdtempSync(join(tmpdir(), 'oja-outage-'));
afterAll(() => rmSync(folder, { recursive: true }));

const REQUESTS = 1_000;
const AT_ONCE = 20;

it('logs an outage of an engine once with a count, whatever is asked for meanwhile', async () => {
  const file = join(folder, 'market.log');
  const logger = createLogger({ level: 'info', service: 'market', file });
  let asked = 0;
  const market = await startHarness({
    logsTo: logger,
    handlers: {
      list: () => {
        asked += 1;
        const what = asked % 2 === 0 ? 'append to a stream' : 'read a stream';
        throw new StoreUnavailable(
          'EventStoreDB',
          `EventStoreDB could not ${what}: try ${asked}`,
          false,
        );
      },
    },
  });
  for (let i = 0; i < REQUESTS; i += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () =>
        expect((await market.call('GET', '/v1/list')).status).toBe(503),
      ),
    );
  await market.close();
  await logger.close();

  const texts = readFileSync(file, 'utf8').trim().split('\n');
  const told = texts.filter((text) => JSON.parse(text).msg !== 'request');
  // That each was refused is told by the line that every request has.
  expect(texts.length - told.length).toBe(REQUESTS);
  expect({ lines: told.length, bytes: Math.ceil(told.join('\n').length / 1_000) }).toEqual({
    lines: 2,
    bytes: expect.closeTo(2, -1),
  });
  const [first, last] = told.map((text) => JSON.parse(text));
  expect(first).toMatchObject({
    level: 'error',
    msg: 'request failed',
    err: { message: 'EventStoreDB could not read a stream: try 1' },
    correlationId: expect.any(String),
  });
  expect(last).toMatchObject({
    level: 'error',
    msg: 'an engine still fails',
    error: 'EventStoreDB could not read a stream: try 1',
    failures: { 'request failed': REQUESTS },
  });
  expect(last).not.toHaveProperty('correlationId');
});
