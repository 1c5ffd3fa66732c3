import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  completeConfig,
  createLogger,
  createMemoryState,
  createMemoryStateData,
  openDataDir,
  planStart,
  type State,
} from '@oja/platform';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { createMoveMark, readMoveEntry } from './move-mark.js';
import {
  announceProcesses,
  isRunning,
  keepHeartbeat,
  processesWithOtherMasterKey,
  runningProcesses,
} from './running-processes.js';

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

it('a market of this machine that was killed is gone at once, also when it was started again', async () => {
  const killed = { service: 'market', host: 'ours', pid: 1, since: '2026-01-31T12:00:00.000Z' };
  const expiresAt = Date.now() + 20_000;
  await engines.state.put('processes', 'market/ours/1', killed, 1, { expiresAt });
  onTestFinished(async () => void (await engines.state.delete('processes', 'market/ours/1')));
  expect(await runningProcesses(ours)).toEqual([]);
  const opened = openDataDir(folder, { exclusive: true });
  if (!opened.ok) throw new Error(opened.message);
  onTestFinished(() => opened.dataDir.release());
  expect(await runningProcesses(ours)).toEqual([]);
  const stop = await keepHeartbeat({ ...ours, logger }, 'market');
  onTestFinished(stop);
  expect(await runningProcesses(ours)).toMatchObject([{ service: 'market', pid: process.pid }]);
});

/** The same State, in which something happens right after its first call of this kind. */
function during(method: 'list' | 'put', happens: () => unknown): State {
  let isLeft = true;
  const { state } = engines;
  return new Proxy(state, {
    get:
      (target, name: keyof State) =>
      async (...given: readonly unknown[]) => {
        const result: unknown = await Reflect.apply(target[name], target, given);
        if (isLeft && name === method) {
          isLeft = false;
          await happens();
        }
        return result;
      },
  });
}

it.each([
  [
    'a market of this machine',
    () => {
      const opened = openDataDir(folder, { exclusive: true });
      if (!opened.ok) throw new Error(opened.message);
      onTestFinished(() => opened.dataDir.release());
    },
  ],
  [
    'a service of another machine',
    async () => {
      const stop = await serveElsewhere(-40_000);
      onTestFinished(stop);
    },
  ],
])(
  'a command that must be alone sees %s that opens while it waits for a heartbeat',
  async (_, opens) => {
    const killed = {
      service: 'projector',
      host: 'another',
      pid: 1,
      since: '2026-01-31T12:00:00.000Z',
    };
    await engines.state.put('processes', 'projector/another/1', killed, 1, { expiresAt: 2 });
    const looking = { ...ours, engines: { state: during('list', opens) } };
    expect(await isRunning(looking, { certain: true })).toBe(true);
  },
);

const never = () => expect.unreachable();

it('a market that is being closed just before a service announces itself is not opened by it', async () => {
  const move = { id: 'x', way: 'out', at: '2026-01-31T12:00:00.000Z' } as const;
  const mark = createMoveMark(ours, await readMoveEntry(ours), move);
  const opening = { ...ours, engines: { state: during('put', mark.set) }, logger };
  await expect(announceProcesses(opening, ['projector', 'query-service'], never)).rejects.toThrow(
    /move out of this market was begun/,
  );
  // It is gone, so it does not keep the move from being run again.
  expect(await isRunning(ours)).toBe(false);
  await mark.undo();
  const stop = await announceProcesses({ ...ours, logger }, ['projector'], never);
  await stop();
});
