import type { EventStore } from '@oja/platform';
import { afterEach, beforeEach } from 'vitest';

/** A separate log for one test. */
export interface EventStoreFixture {
  /** Opens the same log again, as another process or a restart would. */
  open(): Promise<EventStore>;
  /** Opens the same log on a disk with little room; absent when the engine has no such disk. */
  openOnSmallDisk?(): Promise<EventStore>;
  /** The JSON with which the scripts of `children/` open the same log. */
  readonly address: string;
  remove(): Promise<void>;
}

export type MakeEventStore = () => Promise<EventStoreFixture>;

/** Gives each test a fresh log, and closes everything that the test opened. */
export function freshLog(make: MakeEventStore): {
  open(): Promise<EventStore>;
  fixture(): EventStoreFixture;
} {
  let current: EventStoreFixture | null = null;
  let opened: EventStore[] = [];

  function fixture(): EventStoreFixture {
    if (!current) throw new Error('There is a log only while a test runs');
    return current;
  }

  beforeEach(async () => {
    current = await make();
  });
  afterEach(async () => {
    await Promise.all(opened.map((store) => store.close()));
    opened = [];
    await current?.remove();
    current = null;
  });

  return {
    fixture,
    async open() {
      const store = await fixture().open();
      opened.push(store);
      return store;
    },
  };
}
