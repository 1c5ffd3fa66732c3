import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { streamCategory } from '@oja/domain';
import {
  type Clock,
  type CommandHandler,
  type Config,
  createCommandHandler,
  createReadModels,
  type EngineOptions,
  type Engines,
  files,
  type Logger,
  lostFiles,
  type Metrics,
  objectionToFiles,
  openEngines,
  ownOrigin,
  type Plan,
  PROJECTION_STATE_COLLECTIONS,
  persistentFiles,
  RESTORING,
  type ReadModels,
  rememberFiles,
  systemClock,
} from '@oja/platform';
import { configExit } from '../terminal/exit.js';
import { refuseForeignLog } from './log-identity.js';
import { refuseMoved } from './move-mark.js';
import { openData, planOrExit, refuseForbidden } from './open-data.js';

/** The engines and services that every part of the market uses, opened once per process. */
export interface AppContext {
  readonly config: Config;
  readonly engines: Engines;
  readonly commands: CommandHandler;
  readonly readModels: ReadModels;
  /** Empty while the log is opened lazily; callers that need the id then ask the event store itself. */
  readonly logId: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
}

/** Logs the first missing document of each collection, for `oja status` to show, and counts all of them in a metric. */
function missingDocuments(logger: Logger, metrics: Metrics): (collection: string) => void {
  const missing = new Map<string, number>();
  metrics.measure(
    {
      name: 'oja_documents_missing',
      help: 'Rows that this process has left out of pages because their documents are missing from a read model',
    },
    async () => [['', [...missing.values()].reduce((sum, each) => sum + each, 0)]],
  );
  return (collection) => {
    const known = missing.get(collection) ?? 0;
    missing.set(collection, known + 1);
    if (known === 0)
      logger.error(
        { collection },
        'a document is missing from a read model, so its row was left out: oja verify finds all such documents, oja replay rebuilds the read model',
      );
  };
}

type EngineTimeouts = Pick<
  EngineOptions,
  'logTimeoutMs' | 'lazyLogTimeoutMs' | 'lazyJobsTimeoutMs' | 'mongoTimeoutMs'
>;

interface ContextOptions extends EngineTimeouts, Pick<EngineOptions, 'createsNothing'> {
  readonly config: Config;
  readonly logger: Logger;
  /** Absent: nothing is counted. */
  readonly metrics?: Metrics;
}

/** Metrics that count nothing: a CLI command is never scraped, and the real implementation is slow to load. */
const noMetrics: Metrics = {
  observeRequest: () => {},
  countAppendConflict: () => {},
  setProjectionLag: () => {},
  measure: () => {},
  text: async () => ({ contentType: 'text/plain', body: '' }),
};

/** Opens the engines and what is built directly on them. @throws StoreUnavailable when an engine does not answer. */
export async function openContext({
  config,
  logger,
  metrics = noMetrics,
  ...opening
}: ContextOptions): Promise<AppContext> {
  const clock = systemClock;
  const engines = await openEngines(config, {
    clock,
    logger,
    sandboxOrigin: ownOrigin(config),
    onMissing: missingDocuments(logger, metrics),
    ...opening,
  });
  rememberFiles(config.dataDir, persistentFiles(config));
  const commands = createCommandHandler(engines.eventStore, {
    clock: () => clock.now(),
    onConflict: (stream) => metrics.countAppendConflict(streamCategory(stream)),
  });
  return {
    config,
    engines,
    commands,
    readModels: createReadModels(engines.documents, clock),
    logId: opening.lazyLogTimeoutMs === undefined ? await engines.eventStore.logId() : '',
    logger,
    metrics,
    clock,
  };
}

/** Milliseconds, about twelve days: the timer only has to exist, it need never fire. */
const KEEP_ALIVE_MS = 2 ** 30;

/** Milliseconds to wait for the log: a person waits. Services wait longer, since a log may be starting with them. */
const LOG_TIMEOUT_MS = 8_000;
/**
 * How a command opens engines that it only looks at. In milliseconds, how long it waits for them: a person waits, and
 * gets to see what the other engines answer. A failure of the log takes up to 1.5 times as long. On new servers it settles
 * nothing: the first master key that is noted there is the only one that opens the market from then on.
 */
export const LOOKING = {
  lazyLogTimeoutMs: 4_000,
  mongoTimeoutMs: 5_000,
  createsNothing: true,
} as const;

/** How long a command waits for the queues, in milliseconds: at most a part of its answer comes from them. */
export const JOBS_TIMEOUTS = { lazyJobsTimeoutMs: 3_000 } as const;

interface Opening extends Omit<ContextOptions, 'config' | 'logger'> {
  /** A database that may be lost: the command brings its content in again. */
  readonly recreates?: string | undefined;
}

/** Opens a data folder and its engines for a command, and closes them afterwards. @throws Exit 78; StoreUnavailable */
export async function withOpened<T>(
  plan: Plan,
  { recreates, ...opening }: Opening,
  work: (context: AppContext) => Promise<T>,
): Promise<T> {
  const options = { service: 'cli', listens: false, recreates } as const;
  const { config, dataDir, logger } = await openData(plan, options);
  try {
    const context = await openContext({ config, logger, ...opening });
    // Engines that wait for messages do not keep the process alive, so a timer does while the command runs.
    const alive = setInterval(() => {}, KEEP_ALIVE_MS);
    try {
      return await work(context);
    } finally {
      clearInterval(alive);
      await context.engines.close();
    }
  } finally {
    await logger.close();
    dataDir.release();
  }
}

interface MarketAccess
  extends Pick<ContextOptions, 'lazyLogTimeoutMs' | 'mongoTimeoutMs' | 'createsNothing'> {
  /** Create the market's data folder when it does not exist yet. */
  readonly mayBeNew?: boolean;
  /** Also accept a market that was moved out or is not completely moved in; for commands that only read. */
  readonly mayBeMoved?: boolean;
  /** Leave it to the command whether the log is the one that State belongs to: a market may be moved to another. */
  readonly mayBeOtherLog?: boolean;
  /** The market's log may be missing from its folder: the command brings it in again. */
  readonly recreatesLog?: boolean;
}

/**
 * @throws Exit 78 when the log belongs into the data folder and is not there, unless `mayBeNew`, or when this user
 *   may not open the folder.
 */
export function requireMarket({ variables, dataDir: folder }: Plan, mayBeNew = false): void {
  if (variables.EVENTSTORE_URL !== undefined) return;
  refuseForbidden(folder);
  const against = objectionToFiles(folder);
  if (against !== null) throw configExit(against);
  // Opening the folder says of a restore that was not finished what is to be done.
  const isThere =
    [files.log, RESTORING].some((name) => existsSync(join(folder, name))) ||
    lostFiles(folder, [files.log]).length > 0;
  if (!mayBeNew && !isThere)
    throw configExit(
      `There is no market in ${folder} yet: open it once with npm start, or say where it is with --data-dir or DATA_DIR.`,
    );
}

/**
 * Runs a command on the market that this machine's settings name, whether it is running or not, and closes the
 * engines afterwards. @throws Exit 78 when there is no market, or it may not be used; StoreUnavailable.
 */
export async function withContext<T>(
  work: (context: AppContext) => Promise<T>,
  {
    mayBeNew = false,
    mayBeMoved = false,
    mayBeOtherLog = false,
    recreatesLog = false,
    ...access
  }: MarketAccess = {},
): Promise<T> {
  const plan = planOrExit(process.env, true);
  requireMarket(plan, mayBeNew);
  const recreates = recreatesLog ? files.log : undefined;
  const opening = { recreates, logTimeoutMs: LOG_TIMEOUT_MS, ...JOBS_TIMEOUTS, ...access };
  return withOpened(plan, opening, async (context) => {
    // An export brings no keys: where an import was killed, the next one finds a log alone.
    if (access.lazyLogTimeoutMs === undefined && !mayBeOtherLog)
      await refuseForeignLog(context, mayBeNew);
    if (!mayBeMoved) await refuseMoved(context);
    // After an import or a restore these collections do not exist before the first start.
    await context.engines.documents.ensure(PROJECTION_STATE_COLLECTIONS);
    return work(context);
  });
}
