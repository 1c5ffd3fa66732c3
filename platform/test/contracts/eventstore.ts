import { describe } from 'vitest';
import { appending } from './eventstore.appending.js';
import type { MakeEventStore } from './eventstore.fixture.js';
import { hostileMachine } from './eventstore.hostile.js';
import { reading } from './eventstore.reading.js';
import { subscribing } from './eventstore.subscribing.js';

/** The contract of every engine of the `EventStore` port. */
export function eventStoreContract(name: string, make: MakeEventStore): void {
  describe(name, () => {
    appending(make);
    reading(make);
    subscribing(make);
    hostileMachine(make);
  });
}
