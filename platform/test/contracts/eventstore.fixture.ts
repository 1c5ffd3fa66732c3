import type { EventStore } from '@oja/platform';
import { afterEach, beforeEach } from 'vitest';

/** A log of its own for one test. */
export interface EventStoreFixture {
  /** Opens the same log once more, as another process or a restart would. */
  open(): Promise<EventStore>;
  /** The same log on a disk that has room for little; only where the test can make one. */
  openOnSmallDisk?(): Promise<EventStore>;
  /** How `children/` scripts open the same log. */
  readonly address: string;
  remove(): Promise<void>;
}

export type MakeEventStore = () => Promise<EventStoreFixture>;

/** Gives each test a fresh log, and closes all that was opened. */
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
