import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createReadiness } from '@oja/http';
import {
  createEmbeddedEventStore,
  createEmbeddedState,
  files,
  StoreUnavailable,
} from '@oja/platform';
import { expect, it } from 'vitest';
import { addFilesTakeWrites, logAnswers, THE_LOG } from '../runtime/readiness.js';

it('names the log among what is waited for while it is away, or silent', async () => {
  const readiness = createReadiness();
  let head = async (): Promise<null> => null;
  readiness.add(THE_LOG, () => logAnswers({ head: () => head() }));
  expect(await readiness.waitingFor()).toEqual([]);
  head = async () => {
    throw new StoreUnavailable('EventStoreDB could not find its end', false);
  };
  expect(await readiness.waitingFor()).toEqual(['the log']);
  head = () => new Promise(() => undefined);
  expect(await readiness.waitingFor()).toEqual(['the log']);
});

it('is not ready once a file takes no more writes, though the log is read as before', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'oja-full-'));
  const readiness = createReadiness();
  addFilesTakeWrites(readiness, dataDir);
  // A disk of 25 pages, as small as it can be.
  const log = await createEmbeddedEventStore({ file: join(dataDir, files.log), maxPages: 25 });
  const state = await createEmbeddedState({ file: join(dataDir, files.state), maxPages: 25 });
  readiness.add(THE_LOG, () => logAnswers(log));
  expect(await readiness.waitingFor()).toEqual([]);
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
  expect(await readiness.waitingFor()).toEqual(['writes to log.db']);
  const put = () => state.put('full', randomUUID(), { text: 'x'.repeat(20_000) }, 0);
  await expect(untilFull(put)).rejects.toBeInstanceOf(StoreUnavailable);
  expect(await readiness.waitingFor()).toEqual(['writes to log.db', 'writes to state.db']);
  await Promise.all([log.close(), state.close()]);
  rmSync(dataDir, { recursive: true });
});
