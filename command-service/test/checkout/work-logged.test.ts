import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@oja/platform';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openReleased } from './released.js';

it('says of a transfer that waits for somebody which order it pays', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'oja-logged-'));
  const { market, order } = await openReleased(true);
  onTestFinished(async () => {
    await market.close();
    rmSync(folder, { recursive: true });
  });
  const logger = createLogger({ level: 'error', service: 'test', file: join(folder, 'log') });
  vi.spyOn(market.deps.logger, 'error').mockImplementation(logger.error.bind(logger));
  await market.control({ fault: 'end-transfer', outcome: 'otp' });
  await market.sweep();
  market.pass(10 * 60_000);
  await market.sweep();
  // The lines are in the file once the logger is closed.
  await logger.close();
  const [line = ''] = readFileSync(join(folder, 'log'), 'utf8').split('\n');
  expect(JSON.parse(line)).toMatchObject({
    msg: expect.stringMatching(/^a transfer waits for approval/),
    order: order.id,
    payoutId: `${order.id}_0_0`,
    says: 'otp',
  });
});
