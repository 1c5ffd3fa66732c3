import { join } from 'node:path';
import { readModels as models } from '@oja/contracts/models';
import {
  canonicalJson,
  createEmbeddedDocuments,
  createEmbeddedEventStore,
  createReadModels,
  eachDocument,
  files,
} from '@oja/platform';

const PATIENCE_MS = 60_000;

export interface Snapshot {
  /** The log's head at which the documents were read. */
  readonly head: string;
  /** Place → canonical JSON. */
  readonly documents: Readonly<Record<string, string>>;
}

/** Every document of every live read model, once all have caught up with the log. */
export async function everyDocument(dataDir: string): Promise<Snapshot> {
  const log = await createEmbeddedEventStore({ file: join(dataDir, files.log) });
  const documents = await createEmbeddedDocuments({ file: join(dataDir, files.documents) });
  try {
    const readModels = createReadModels(documents);
    const head = await log.head();
    const all = Object.values(models);
    if (head === null || !(await readModels.waitFor(all, head, PATIENCE_MS)))
      throw new Error('the read models have not caught up');
    const found: Record<string, string> = {};
    for (const model of all)
      for (const name of Object.keys(model.collections)) {
        const collection = await readModels.liveCollection(model, name);
        for await (const { id, document } of eachDocument(documents, collection, {}))
          found[`${model.name}/${name}/${id}`] = canonicalJson(document);
      }
    return { head, documents: found };
  } finally {
    await Promise.all([documents.close(), log.close()]);
  }
}
