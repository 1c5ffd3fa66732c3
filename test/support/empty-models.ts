import { type ModelName, readModels as models } from '@oja/contracts/models';
import {
  CHECKPOINTS,
  collectionName,
  type Document,
  type Documents,
  generationKey,
  modelKey,
  POINTERS,
  type Position,
  PROJECTION_STATE_COLLECTIONS,
} from '@oja/platform';

interface Models {
  /** Moves the projection's checkpoint to this position. */
  moveOn(name: ModelName, position: Position | null): Promise<void>;
  put(model: ModelName, collection: string, id: string, document: Document): Promise<void>;
}

/** Creates empty read models without a projector: a test sets their documents and checkpoints itself. */
export async function layReadModels(documents: Documents, logId: string): Promise<Models> {
  const all = Object.values(models);
  const put = (collection: string, id: string, document: Document) =>
    documents.commit([{ type: 'put', collection, id, document }]);
  await documents.ensure([
    ...PROJECTION_STATE_COLLECTIONS,
    ...all.flatMap((model) =>
      Object.entries(model.collections).map(([name, indexes]) => ({
        name: collectionName(model, 1, name),
        indexes: [...indexes],
      })),
    ),
  ]);
  async function moveOn(name: ModelName, position: Position | null): Promise<void> {
    const checkpoint = { logId, position, time: null, repairs: 0 };
    await put(CHECKPOINTS, generationKey(models[name], 1), checkpoint);
  }
  for (const model of all) {
    const pointer = { live: 1, previous: null, fed: [1], building: null, last: 1 };
    await put(POINTERS, modelKey(model), pointer);
    await moveOn(model.name, null);
  }
  return {
    moveOn,
    async put(model, collection, id, document) {
      await put(collectionName(models[model], 1, collection), id, document);
    },
  };
}
