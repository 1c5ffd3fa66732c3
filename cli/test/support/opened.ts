import { join } from 'node:path';
import {
  createEmbeddedDocuments,
  createEmbeddedEventStore,
  type Documents,
  type EventStore,
  files,
} from '@oja/platform';

/** A market's files, opened beside the market as the command line does. */
export interface Opened {
  readonly documents: Documents;
  readonly eventStore: EventStore;
  close(): Promise<void>;
}

export async function openFiles(dataDir: string): Promise<Opened> {
  const documents = await createEmbeddedDocuments({ file: join(dataDir, files.documents) });
  const eventStore = await createEmbeddedEventStore({ file: join(dataDir, files.log) });
  return {
    documents,
    eventStore,
    async close() {
      await Promise.all([documents.close(), eventStore.close()]);
    },
  };
}
