import { join } from 'node:path';
import {
  createEmbeddedDocuments,
  createEmbeddedEventStore,
  createEmbeddedState,
  createReadModels,
  type Documents,
  type EventStore,
  files,
  type ReadModels,
  type State,
} from '@oja/platform';

/** The market's files, looked at beside the processes that write them. */
export interface Engines {
  readonly log: EventStore;
  readonly documents: Documents;
  readonly readModels: ReadModels;
  readonly state: State;
  close(): Promise<void>;
}

export async function openEngines(dataDir: string): Promise<Engines> {
  const at = (name: string) => join(dataDir, name);
  const [log, documents, state] = await Promise.all([
    createEmbeddedEventStore({ file: at(files.log) }),
    createEmbeddedDocuments({ file: at(files.documents) }),
    createEmbeddedState({ file: at(files.state) }),
  ]);
  return {
    log,
    documents,
    readModels: createReadModels(documents),
    state,
    async close() {
      await Promise.all([log.close(), documents.close(), state.close()]);
    },
  };
}

const PAGE = 500;

/** Keys and values of a space of State, all of them. */
export async function* everyEntry(
  state: State,
  space: string,
  prefix: string,
  now: number,
): AsyncGenerator<{ readonly key: string; readonly value: object }> {
  let after: string | undefined;
  for (;;) {
    const options = { limit: PAGE, ...(after !== undefined && { after }) };
    const entries: Awaited<ReturnType<State['list']>> = await state.list(
      space,
      prefix,
      now,
      options,
    );
    yield* entries;
    after = entries.at(-1)?.key;
    if (entries.length < PAGE || after === undefined) return;
  }
}
