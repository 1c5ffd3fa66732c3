import { join } from 'node:path';
import {
  createEmbeddedEventStore,
  createEmbeddedState,
  type EventStore,
  positionOf,
  type State,
  systemClock,
} from '@oja/platform';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/support/market.js';
import { letterSuppressor } from './import-mode.js';

let folder: ReturnType<typeof temporaryFolder>;
let eventStore: EventStore;
let state: State;

beforeEach(async () => {
  folder = temporaryFolder();
  eventStore = await createEmbeddedEventStore({ file: join(folder.path, 'log.db') });
  state = await createEmbeddedState({ file: join(folder.path, 'state.db') });
});

afterEach(async () => {
  await state.close();
  await eventStore.close();
  folder.remove();
});

/** Of the export's events 1 to 3, those about which State may not know what was sent. */
async function unknown(checkpoint: { logId: string; position: string | null }) {
  await state.put('reactions', 'checkpoint', checkpoint, systemClock.now());
  const isUnknown = await letterSuppressor(
    { engines: { eventStore, state }, clock: systemClock },
    'old',
  );
  return [1, 2, 3].filter((n) => isUnknown({ position: positionOf(n) }));
}

it('knows what State has reacted to of the log that is put back, and sends nothing about the rest', async () => {
  expect(await unknown({ logId: 'old', position: positionOf(3) })).toEqual([]);
  expect(await unknown({ logId: 'old', position: positionOf(1) })).toEqual([2, 3]);
  expect(await unknown({ logId: 'old', position: null })).toEqual([1, 2, 3]);
});

it('has decided that already where a killed import has given State the new log', async () => {
  expect(await unknown({ logId: 'new', position: positionOf(1) })).toEqual([]);
});
