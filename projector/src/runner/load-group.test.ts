import { positionOf } from '@oja/platform';
import { beforeEach, expect, it } from 'vitest';
import { MemoryLog } from '../../test/support/log.js';
import { type LoadGroup, loadGroupOf } from './load-group.js';

const [slow, fast] = [{ name: 'slow' }, { name: 'fast' }];
let pace: LoadGroup;
let abort: AbortController;
let isThere: boolean;
beforeEach(() => {
  const log = new MemoryLog();
  pace = loadGroupOf(log);
  expect(loadGroupOf(log)).toBe(pace);
  pace.report(slow, null);
  pace.report(fast, positionOf(20));
  abort = new AbortController();
  isThere = false;
});

const reached = (position: number) =>
  pace.waitForOthers(positionOf(position), abort.signal).then(() => {
    isThere = true;
  });

/** Whether it still waits once everything that is due has run. */
async function waits(): Promise<boolean> {
  await new Promise((resolve) => setImmediate(resolve));
  return !isThere;
}

it('waits for the one that is behind, until it has come', async () => {
  const done = reached(10);
  expect(await waits()).toBe(true);
  pace.report(slow, positionOf(9));
  expect(await waits()).toBe(true);
  pace.report(slow, positionOf(10));
  await done;
});

it('waits for nobody who has stopped', async () => {
  const done = reached(10);
  expect(await waits()).toBe(true);
  pace.leave(slow);
  await done;
});

it('waits no longer than it shall run', async () => {
  const done = reached(10);
  expect(await waits()).toBe(true);
  abort.abort();
  await done;
});

it('never lets the hindmost wait', async () => {
  pace.report(slow, positionOf(5));
  await pace.waitForOthers(positionOf(5), abort.signal);
  await pace.waitForOthers(null, abort.signal);
});
