import type { Db } from 'mongodb';
import { expect, it } from 'vitest';
import { createStandIn } from '../../../test/contracts/mongo-stand-in.js';
import { createVocabulary, wordsStoredAs } from './vocabulary.js';

const STORED_AS = 'goods.1';

it('keeps words that were put together under the number of a batch that came too late', async () => {
  const { client, name } = await createStandIn().connect();
  const db = client.db(name);
  const batches = db.collection<{ _id: number }>(wordsStoredAs(STORED_AS));
  await createVocabulary(db, STORED_AS).add(new Map([['name', ['lg']]]));
  let meanwhile = async (_filter: object) => {};
  const collection = {
    ...batches,
    async findOne(filter: object) {
      const found = await batches.findOne(filter);
      await meanwhile(filter);
      return found;
    },
  };
  const late = createVocabulary({ collection: () => collection } as unknown as Db, STORED_AS);
  await late.refresh();
  // Since then, batches 2 and 3 were written and put together: the number 2 is free again.
  await batches.insertOne({ _id: 3, ...{ from: 2, words: { name: ['tv'] } } });
  meanwhile = async () => {
    meanwhile = async () => {};
    // A process that has begun to put batches together finds that of the late one.
    await batches.updateOne({ _id: 2 }, { $set: { from: 1, words: { name: ['lg', 'radio'] } } });
    await batches.deleteMany({ _id: 1 });
  };
  await late.add(new Map([['name', ['radio']]]));
  const fresh = createVocabulary(db, STORED_AS);
  await fresh.refresh();
  expect(['lg', 'tv', 'radio'].filter((word) => fresh.has('name', word))).toEqual([
    'lg',
    'tv',
    'radio',
  ]);
});
