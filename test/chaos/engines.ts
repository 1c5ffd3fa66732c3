import {
  completeConfig,
  createLogger,
  createReadModels,
  type Documents,
  type EventStore,
  openEngines as openAll,
  planStart,
  type ReadModels,
  type State,
  sentenceOf,
  systemClock,
} from '@oja/platform';

/** Connections to the market's engines beside its own processes. */
export interface Engines {
  readonly log: EventStore;
  readonly documents: Documents;
  readonly readModels: ReadModels;
  readonly state: State;
  close(): Promise<void>;
}

/**
 * Opens the engines that the processes' environment names, `DATA_DIR` included.
 * @throws Error when the configuration is incomplete or wrong
 */
export async function openEngines(env: Readonly<Record<string, string>>): Promise<Engines> {
  const plan = planStart(env, { everything: false });
  if (!plan.ok) throw new Error(sentenceOf(plan.problems));
  const config = completeConfig(plan.value, plan.value.dataDir);
  if (!config.ok) throw new Error(sentenceOf(config.problems));
  const engines = await openAll(config.value, {
    clock: systemClock,
    logger: createLogger({ level: 'error', service: 'test' }),
    sandboxOrigin: config.value.publicUrl,
  });
  const { eventStore: log, documents, state, close } = engines;
  return { log, documents, state, readModels: createReadModels(documents), close };
}

const PAGE = 500;

/** Yields every key and value of a state space. */
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
