import {
  createLogger,
  createMemoryDocuments,
  createMemoryDocumentsData,
  createMemoryEventStore,
  createMemoryLog,
  createMemoryState,
  createMemoryStateData,
  type Documents,
  generationKey,
  systemClock,
} from '@oja/platform';
import { removeOldGenerations, runRebuild, switchTo } from '@oja/projector';
import { expect, it } from 'vitest';
import { projectionNamed } from '../shared/named.js';
import { linesOfDifferences, verifyModel } from './model.js';

it('says of a wrong count that it is one, and of what', () => {
  const collection = 'products';
  expect(
    linesOfDifferences([
      { collection, id: 'p-1', kind: 'misindexed', fields: ['shown'] },
      { collection, id: '["bags",true]', kind: 'misindexed', fields: ['category', 'shown'] },
    ]),
  ).toEqual([
    '  products p-1 is right, but an index of the live model is wrong about it in shown',
    '  products: the live model counts its documents of category, shown ["bags",true] wrongly',
  ]);
});

it('says of a generation that another one has replaced meanwhile to run the command again', async () => {
  const projection = projectionNamed('sellers');
  const eventStore = createMemoryEventStore(createMemoryLog('log'));
  const documents = createMemoryDocuments(createMemoryDocumentsData());
  const { signal } = new AbortController();
  const logger = createLogger({ level: 'silent', service: 'test' });
  await runRebuild({ eventStore, documents, projection, logger, signal });
  const replaced = {
    ...documents,
    find: async (collection, query) => {
      if (collection.startsWith(generationKey(projection, 1))) {
        await switchTo(documents, projection, 2);
        await removeOldGenerations(documents, projection, 0);
      }
      return documents.find(collection, query);
    },
  } satisfies Documents;
  const context = {
    config: { dataDir: '/nowhere', mongodbUrl: 'mongodb://elsewhere' },
    engines: { eventStore, documents: replaced, state: createMemoryState(createMemoryStateData()) },
    clock: systemClock,
  };
  await expect(verifyModel(context, projection, signal)).rejects.toThrow(
    'sellers was replaced by another generation meanwhile: run the command again.',
  );
});
