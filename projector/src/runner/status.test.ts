import { type Checkpoint, type EventStore, positionOf } from '@oja/platform';
import { expect, it } from 'vitest';
import { recorded } from '../../test/support/shop.js';
import type { Reactor } from '../reactions/reactor.js';
import type { GenerationSupervisor } from './generation-supervisor.js';
import type { ProjectionWorker } from './projection-worker.js';
import { createHeadHistory, statusOf } from './status.js';

const away = () => Promise.reject(new Error('the log is away'));

const eventStore: EventStore = {
  logId: away,
  append: away,
  readStream: async function* () {
    yield await away();
  },
  readLast: away,
  readAll: async function* () {
    yield await away();
  },
  head: away,
  subscribe: async function* () {
    yield await away();
  },
  close: async () => undefined,
};

const worker: ProjectionWorker = {
  run: away,
  restart: () => undefined,
  pages: () => 0,
  checkpoint: (): Checkpoint | null => null,
  parked: () => [],
  lastError: () => null,
};

const supervisor: GenerationSupervisor = {
  projection: {
    name: 'notes',
    version: 1,
    scope: 'stream',
    events: [],
    collections: {},
    parse: () => null,
    reads: () => [],
    project: () => [],
  },
  begin: away,
  follow: () => undefined,
  ended: away,
  fed: () => [{ generation: 1, worker, stopped: null, isLoading: false }],
  live: () => 1,
};

const reactor: Reactor = {
  run: away,
  restart: () => undefined,
  position: () => null,
  lastError: () => null,
};

// An unhandled rejection would end the process; the test runner fails on one as well.
it('A status that cannot be had says so to whoever asked, and to nobody else', async () => {
  const heads = createHeadHistory();
  const status = statusOf({
    eventStore,
    supervisors: [supervisor, supervisor],
    reactor,
    now: 0,
    heads,
  });
  await expect(status).rejects.toThrow('the log is away');
  await new Promise((resolve) => setImmediate(resolve));
});

it('A read model that cannot be opened is behind, and one that is being opened is not', async () => {
  const heads = createHeadHistory();
  const log: EventStore = {
    ...eventStore,
    head: async () => positionOf(1),
    readAll: async function* () {
      yield { ...recorded('thing-1', 0, 'ThingMade', {}), position: positionOf(1) };
    },
  };
  heads.look(positionOf(1), 0);
  const lagsWith = async (error: string | null) => {
    const opening = { ...worker, lastError: () => error };
    const fed = () => [{ generation: 1, worker: opening, stopped: null, isLoading: false }];
    const status = await statusOf({
      eventStore: log,
      supervisors: [{ ...supervisor, fed }],
      reactor: { ...reactor, position: () => undefined, lastError: () => error },
      now: 3_600_000,
      heads,
    });
    return [...status.projections, status.reactions].map(({ lag }) => lag.events);
  };
  expect(await lagsWith(null)).toEqual([0, 0]);
  expect(await lagsWith('the collection is damaged')).toEqual([1, 1]);
});

it('A read model is behind since the log was seen to hold more, however old its events are', () => {
  const heads = createHeadHistory();
  expect(heads.behindSince(null)).toBeNull();
  heads.look(positionOf(10), 1_000);
  heads.look(positionOf(10), 6_000);
  heads.look(positionOf(20), 11_000);
  expect([null, positionOf(5), positionOf(10), positionOf(20)].map(heads.behindSince)).toEqual([
    1_000,
    1_000,
    11_000,
    null,
  ]);
  heads.forget(positionOf(10));
  expect(heads.behindSince(positionOf(5))).toBe(11_000);
});
