import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createReadiness } from '@oja/http';
import {
  completeConfig,
  createEmbeddedEventStore,
  createEmbeddedState,
  createLogger,
  createMetrics,
  files,
  planStart,
  StoreUnavailable,
} from '@oja/platform';
import { expect, it } from 'vitest';
import { freePort } from '../../../test/support/market.js';
import { startProcess } from '../runtime/process.js';
import {
  addStoreConditions,
  addWriteConditions,
  checkLog,
  LOG_CONDITION,
} from '../runtime/readiness.js';

it('names the log among what is waited for while it is away, or silent', async () => {
  const readiness = createReadiness();
  let head = async (): Promise<null> => null;
  readiness.add(LOG_CONDITION, () => checkLog({ head: () => head() }));
  expect(await readiness.unmetConditions()).toEqual([]);
  head = async () => {
    throw new StoreUnavailable('EventStoreDB', 'EventStoreDB could not find its end', false);
  };
  expect(await readiness.unmetConditions()).toEqual(['the log']);
  head = () => new Promise(() => undefined);
  expect(await readiness.unmetConditions()).toEqual(['the log']);
});

it('names the read models and State while their server is away, or silent, and asks it once', async () => {
  const readiness = createReadiness();
  let asked = 0;
  let answer = async (): Promise<null> => null;
  const ask = () => {
    asked += 1;
    return answer();
  };
  addStoreConditions(readiness, {
    readModels: { checkpointOf: ask },
    engines: { state: { get: ask } },
    clock: { now: () => 0 },
  });
  expect(await readiness.unmetConditions()).toEqual([]);
  const both = ['answers from the read models', 'answers from State'];
  answer = async () => {
    throw new StoreUnavailable('MongoDB', 'MongoDB did not do it', false);
  };
  expect(await readiness.unmetConditions()).toEqual(both);
  answer = () => new Promise(() => undefined);
  asked = 0;
  expect(await readiness.unmetConditions()).toEqual(both);
  // A frozen server keeps each question, and its connection, for minutes: a probe does not add one every few seconds.
  expect(await readiness.unmetConditions()).toEqual(both);
  expect(asked).toBe(2);
});

it('is not ready once a file takes no more writes, though the log is read as before', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'oja-full-'));
  const readiness = createReadiness();
  addWriteConditions(readiness, dataDir);
  // 25 pages, the smallest size in which the databases can be created.
  const log = await createEmbeddedEventStore({ file: join(dataDir, files.log), maxPages: 25 });
  const state = await createEmbeddedState({ file: join(dataDir, files.state), maxPages: 25 });
  readiness.add(LOG_CONDITION, () => checkLog(log));
  expect(await readiness.unmetConditions()).toEqual([]);
  const metadata = {
    actor: 'test',
    commandId: randomUUID(),
    correlationId: 'test',
    causationId: 'test',
    time: '2026-01-01T00:00:00.000Z',
    schemaVersion: 1,
  };
  const append = () => {
    const data = { text: 'x'.repeat(20_000) };
    const event = { id: randomUUID(), type: 'Filled', data, metadata };
    return log.append(`full-${randomUUID()}`, 'no-stream', [event]);
  };
  const untilFull = async (write: () => Promise<unknown>) => {
    for (;;) await write();
  };
  await expect(untilFull(append)).rejects.toBeInstanceOf(StoreUnavailable);
  expect(await readiness.unmetConditions()).toEqual(['writes to log.db']);
  const put = () => state.put('full', randomUUID(), { text: 'x'.repeat(20_000) }, 0);
  await expect(untilFull(put)).rejects.toBeInstanceOf(StoreUnavailable);
  expect(await readiness.unmetConditions()).toEqual(['writes to log.db', 'writes to state.db']);
  await Promise.all([log.close(), state.close()]);
  rmSync(dataDir, { recursive: true });
});

it('is never ready before the first request is answered', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'oja-early-'));
  const plan = planStart({ DATA_DIR: dataDir, PORT: `${await freePort()}` }, { everything: true });
  if (!plan.ok) throw new Error('no plan');
  const config = completeConfig(plan.value, dataDir);
  if (!config.ok) throw new Error('no settings');
  const logger = createLogger({ level: 'silent', service: 'market' });
  const context = { config: config.value, logger, metrics: createMetrics() };
  const market = await startProcess(context);
  const url = `http://127.0.0.1:${config.value.port}`;
  const statusOf = async (path: string) => (await fetch(url + path)).status;
  let early: number | null = null;
  await market.open([
    {
      name: 'query-service',
      mount: (app) => app.use((ctx) => (ctx.body = 'here')),
      readyWhen(readiness) {
        readiness.add('a look', async () => {
          if (early !== null) return true;
          early = 0;
          // Every module is ready, but the market does not serve yet.
          early = await statusOf('/readyz');
          return true;
        });
      },
      start: async () => undefined,
      close: async () => undefined,
    },
  ]);
  expect(early).toBe(503);
  expect([await statusOf('/readyz'), await statusOf('/first')]).toEqual([200, 200]);
  await market.close();
  await logger.close();
  rmSync(dataDir, { recursive: true });
});
