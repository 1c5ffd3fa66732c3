import {
  completeConfig,
  createLogger,
  createReadModels,
  type Documents,
  type EventStore,
  joinProblems,
  openEngines as openAll,
  planStart,
  type ReadModels,
  type State,
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
  if (!plan.ok) throw new Error(joinProblems(plan.problems));
  const config = completeConfig(plan.value, plan.value.dataDir);
  if (!config.ok) throw new Error(joinProblems(config.problems));
  const engines = await openAll(config.value, {
    clock: systemClock,
    logger: createLogger({ level: 'error', service: 'test' }),
    sandboxOrigin: config.value.publicUrl,
  });
  const { eventStore: log, documents, state, close } = engines;
  return { log, documents, state, readModels: createReadModels(documents), close };
}
