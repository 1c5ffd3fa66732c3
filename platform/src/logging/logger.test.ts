import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { withCorrelation } from './correlation.js';
import { createLogger } from './logger.js';

const folder = mkdtempSync(join(tmpdir(), 'oja-log-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('writes lines with the service, the level, the correlation id and no secrets', async () => {
  const file = join(folder, 'deep', 'oja.log');
  const logger = createLogger({ level: 'info', service: 'query-service', file });
  logger.debug({}, 'not written');
  await withCorrelation('c-1', async () => {
    await Promise.resolve();
    logger.child({ projection: 'sellers', email: 'ada@example.com' }).warn({ lag: 3 }, 'behind');
  });
  logger.error({ err: new Error('token eyJa.eyJb.c') }, 'failed for ada@example.com');
  await logger.close();

  const text = readFileSync(file, 'utf8');
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    {
      level: 'warn',
      service: 'query-service',
      correlationId: 'c-1',
      projection: 'sellers',
      email: '[redacted]',
      lag: 3,
      msg: 'behind',
    },
    {
      level: 'error',
      err: { type: 'Error', message: 'token [token]' },
      msg: 'failed for [e-mail]',
    },
  ]);
  expect(lines[1]).not.toHaveProperty('correlationId');
});
