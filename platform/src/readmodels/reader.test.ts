import { expect, it } from 'vitest';
import { positionOf } from '../eventstore/port.js';
import { createMemoryDocuments, createMemoryDocumentsData } from '../memory/documents.js';
import { createReadModels } from './reader.js';

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
