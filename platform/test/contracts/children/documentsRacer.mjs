// Advances a checkpoint one step per commit, with one document each, and prints the steps that it committed.
import { createEmbeddedDocuments, createMongoDocuments } from '@oja/platform';

const [address, name, many] = process.argv.slice(2);
const { embedded, mongo } = JSON.parse(address);
const documents = await (embedded
  ? createEmbeddedDocuments(embedded)
  : createMongoDocuments(mongo));
const checkpoint = { collection: 'checkpoints', id: 'at' };

for (let at = 0; at < Number(many); ) {
  const expected = await documents.get(checkpoint.collection, checkpoint.id);
  at = (expected?.at ?? 0) + 1;
  if (at > Number(many)) break;
  const outcome = await documents.commit(
    [
      { type: 'put', ...checkpoint, document: { at } },
      { type: 'put', collection: 'goods_v1_g1', id: `${name}-${at}`, document: { name: 'lg tv' } },
    ],
    [{ ...checkpoint, expected }],
  );
  if (outcome === 'committed') console.log(at);
}
await documents.close();
