import { positionOf } from '@oja/platform';
import { beforeEach, expect, it } from 'vitest';
import { MemoryLog } from '../../test/support/log.js';
import { type LoadGroup, loadGroupOf } from './load-group.js';

const [slow, fast] = [{ name: 'slow' }, { name: 'fast' }];
let group: LoadGroup;
let abort: AbortController;
let isThere: boolean;
beforeEach(() => {
  const log = new MemoryLog();
  group = loadGroupOf(log);
  expect(loadGroupOf(log)).toBe(group);
  group.report(slow, null);
  group.report(fast, positionOf(20));
  abort = new AbortController();
  isThere = false;
});

const reached = (position: number) =>
  group.waitForOthers(positionOf(position), abort.signal).then(() => {
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
  group.report(slow, positionOf(9));
  expect(await waits()).toBe(true);
  group.report(slow, positionOf(10));
  await done;
});

it('waits for nobody who has stopped', async () => {
  const done = reached(10);
  expect(await waits()).toBe(true);
  group.leave(slow);
  await done;
});

it('waits no longer than it shall run', async () => {
  const done = reached(10);
  expect(await waits()).toBe(true);
  abort.abort();
  await done;
});

it('never lets the hindmost wait', async () => {
  group.report(slow, positionOf(5));
  await group.waitForOthers(positionOf(5), abort.signal);
  await group.waitForOthers(null, abort.signal);
});
