import { expect, it } from 'vitest';
import { positionOf } from '../eventstore/port.js';
import { createMemoryDocuments, createMemoryDocumentsData } from '../memory/documents.js';
import {
  modelKey,
  POINTERS,
  type Pointer,
  PROJECTION_STATE_COLLECTIONS,
} from './projection-state.js';
import { createReadModels, POINTER_MEMORY_MS } from './reader.js';

it('looks once, and follows no changes, when it may not wait for a read model', async () => {
  const documents = createMemoryDocuments(createMemoryDocumentsData());
  const readModels = createReadModels({
    ...documents,
    changes() {
      throw new Error('followed');
    },
  });
  const model = { name: 'sellers', version: 1 };
  expect(await readModels.waitFor([model], positionOf(1), 0)).toBe(false);
});

it('remembers a pointer for no longer because the clock was set back', async () => {
  const documents = createMemoryDocuments(createMemoryDocumentsData());
  await documents.ensure(PROJECTION_STATE_COLLECTIONS);
  const model = { name: 'sellers', version: 1 };
  const pointed = async (live: number) => {
    const document: Pointer = { live, previous: null, fed: [live], building: null, last: live };
    await documents.commit([{ type: 'put', collection: POINTERS, id: modelKey(model), document }]);
  };
  let time = Date.parse('2026-01-31T12:00:00Z');
  const readModels = createReadModels(documents, { now: () => time });
  await pointed(1);
  expect(await readModels.live(model)).toMatchObject({ generation: 1 });
  await pointed(2);
  time += POINTER_MEMORY_MS - 1;
  expect(await readModels.live(model)).toMatchObject({ generation: 1 });
  time -= 3_600_000;
  expect(await readModels.live(model)).toMatchObject({ generation: 2 });
});
