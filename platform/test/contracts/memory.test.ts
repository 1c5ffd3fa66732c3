import { randomBytes } from 'node:crypto';
import {
  createMemoryDocuments,
  createMemoryDocumentsData,
  createMemoryEventStore,
  createMemoryJobs,
  createMemoryJobsData,
  createMemoryKeys,
  createMemoryKeysData,
  createMemoryLog,
  createMemoryState,
  createMemoryStateData,
  type WakeableJobs,
} from '@oja/platform';
import { describe } from 'vitest';
import { finding } from './documents.finding.js';
import { answeringLikeTheModel } from './documents.property.js';
import { storing } from './documents.storing.js';
import { appending } from './eventstore.appending.js';
import { reading } from './eventstore.reading.js';
import { subscribing } from './eventstore.subscribing.js';
import { inTime } from './jobs.time.js';
import { working } from './jobs.working.js';
import { keysContract } from './keys.js';
import { stateContract } from './state.js';

// Memory has neither several processes nor a full disk, so those parts of the contracts are left out.
const own = { address: 'memory', remove: async () => {} };

describe('EventStore in memory', () => {
  const make = async () => {
    const log = createMemoryLog('a log in memory');
    return { ...own, open: async () => createMemoryEventStore(log) };
  };
  appending(make);
  reading(make);
  subscribing(make);
});

describe('Documents in memory', () => {
  const make = async () => {
    const data = createMemoryDocumentsData();
    return { ...own, open: async () => createMemoryDocuments(data) };
  };
  storing(make);
  finding(make);
  answeringLikeTheModel(make);
});

describe('Jobs in memory', () => {
  const leaseMs = 30_000;
  const keepFailed = 20;
  const make = async () => {
    const data = createMemoryJobsData();
    const engines = new Set<WakeableJobs>();
    let now = Date.now();
    const clock = {
      now: () => now,
      move(milliseconds: number) {
        now += milliseconds;
        for (const engine of engines) engine.wake();
      },
    };
    const open = async () => {
      const engine = createMemoryJobs({ data, clock, leaseMs, keepFailed });
      engines.add(engine);
      return engine;
    };
    return { ...own, open, clock, leaseMs, keepFailed };
  };
  working(make);
  inTime(make);
});

stateContract('State in memory', async () => {
  const data = createMemoryStateData();
  return { ...own, open: async () => createMemoryState(data) };
});

keysContract('Keys in memory', async () => {
  const masterKey = randomBytes(32);
  const data = createMemoryKeysData(masterKey);
  return { ...own, masterKey, open: async () => createMemoryKeys(data) };
});
