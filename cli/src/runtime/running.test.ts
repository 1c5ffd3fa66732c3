import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  completeConfig,
  createLogger,
  createMemoryState,
  createMemoryStateData,
  planStart,
} from '@oja/platform';
import { afterAll, expect, it } from 'vitest';
import { isRunning, keepHeartbeat, processesWithOtherMasterKey } from './running.js';

const folder = mkdtempSync(join(tmpdir(), 'oja-running-'));
afterAll(() => rmSync(folder, { recursive: true }));

function configWith(KEYS_MASTER_KEY: string) {
  const env = {
    DATA_DIR: folder,
    PUBLIC_URL: 'https://market.example',
    PAYSTACK_SECRET: 'sk_test_1',
    TOKEN_SECRET: 't'.repeat(32),
    KEYS_MASTER_KEY,
  };
  const plan = planStart(env, { everything: true });
  const config = plan.ok ? completeConfig(plan.value, folder) : plan;
  if (!config.ok) throw new Error(config.problems.join('; '));
  return config.value;
}

const engines = { state: createMemoryState(createMemoryStateData()) };
const logger = createLogger({ level: 'silent', service: 'test' });
/** A clock that is so many milliseconds ahead. */
const clockAhead = (ms: number) => ({ now: () => Date.now() + ms });
const servesWith = configWith('ab'.repeat(32));
const ours = { config: configWith('cd'.repeat(32)), engines, clock: clockAhead(0), host: 'ours' };

/** A query-service of another machine, whose clock is so far ahead of ours. Returns a function that stops it. */
function serveElsewhere(ahead: number): Promise<() => Promise<void>> {
  const its = { config: servesWith, engines, clock: clockAhead(ahead), logger, host: 'other' };
  return keepHeartbeat(its, 'query-service');
}

it.each([0, -40_000, 40_000])(
  'a command that must be alone sees who serves by a clock that is %i ms ahead',
  async (ahead) => {
    const stop = await serveElsewhere(ahead);
    expect(await isRunning(ours, { certain: true })).toBe(true);
    expect(await processesWithOtherMasterKey(ours)).toEqual([
      `query-service on other, process ${process.pid}`,
    ]);
    await stop();
    expect(await isRunning(ours, { certain: true })).toBe(false);
    expect(await processesWithOtherMasterKey(ours)).toEqual([]);
  },
);

it('who was killed long ago does not serve, and is not waited for on its own machine', async () => {
  const value = { service: 'projector', host: 'other', pid: 1, since: '2026-01-31T12:00:00.000Z' };
  const put = (host: string) =>
    engines.state.put('processes', `projector/${host}/1`, { ...value, host }, 1, { expiresAt: 2 });
  await put('ours');
  const began = performance.now();
  expect(await isRunning(ours, { certain: true })).toBe(false);
  expect(performance.now() - began).toBeLessThan(5_000);
  await put('other');
  expect(await isRunning(ours, { certain: true })).toBe(false);
});
