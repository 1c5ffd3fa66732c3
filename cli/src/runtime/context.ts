import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { streamCategory } from '@oja/domain';
import {
  BOOKKEEPING,
  type Clock,
  type Config,
  createHandle,
  createReadModels,
  type EngineOptions,
  type Engines,
  files,
  type Handle,
  type Logger,
  lastingFiles,
  lostFiles,
  type Metrics,
  openEngines,
  type ReadModels,
  rememberFiles,
  systemClock,
} from '@oja/platform';
import { configExit } from '../terminal/exit.js';
import { refuseForeignLog } from './log-identity.js';
import { refuseMoved } from './moving.js';
import { openData, planOrExit } from './open-data.js';

/** What every part of the market stands on, opened once a process. */
export interface AppContext {
  readonly config: Config;
  readonly engines: Engines;
  readonly handle: Handle;
  readonly readModels: ReadModels;
  /** '' where the log is opened when it is asked: who looks asks it there. */
  readonly logId: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
  /** Draws a sample picture that nobody has looked at yet; absent where samples are not drawn. */
  readonly drawSample?: (name: string) => Promise<Buffer | null>;
}

/** What draws is large and most processes draw nothing: it is read at the first picture. */
async function drawSample(name: string): Promise<Buffer | null> {
  const samples = await import('@oja/demo/pictures');
  return samples.drawSample(name);
}

/** One line for each collection, which oja status shows as the last error; how many there are is a metric. */
function missingDocuments(logger: Logger, metrics: Metrics): (collection: string) => void {
  const missing = new Map<string, number>();
  metrics.measure(
    {
      name: 'oja_documents_missing',
      help: 'Rows of read models that this process has left out of pages, since their documents are gone',
    },
    async () => [['', [...missing.values()].reduce((sum, each) => sum + each, 0)]],
  );
  return (collection) => {
    const known = missing.get(collection) ?? 0;
    missing.set(collection, known + 1);
    if (known === 0)
      logger.error(
        { collection },
        'a document is gone and its row is left out: oja verify finds them all, oja replay makes them anew',
      );
  };
}

type LogOptions = Pick<EngineOptions, 'logPatienceMs' | 'logWhenAsked'>;

interface ContextOptions extends LogOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly drawsSamples: boolean;
  /** Without them nothing is counted. */
  readonly metrics?: Metrics;
}

/** Of a command, which nobody asks for them: what counts and tells them is large. */
const unasked: Metrics = {
  observeRequest: () => {},
  countAppendConflict: () => {},
  setProjectionLag: () => {},
  measure: () => {},
  text: async () => ({ contentType: 'text/plain', body: '' }),
};

/** Opens the engines and what stands directly on them. @throws StoreUnavailable where one does not answer. */
export async function openContext({
  config,
  logger,
  drawsSamples,
  metrics = unasked,
  ...log
}: ContextOptions): Promise<AppContext> {
  const clock = systemClock;
  const engines = await openEngines(config, {
    clock,
    logger,
    sandboxOrigin: `http://127.0.0.1:${config.port}`,
    onMissing: missingDocuments(logger, metrics),
    ...log,
  });
  rememberFiles(config.dataDir, lastingFiles(config));
  const handle = createHandle(engines.eventStore, {
    clock: () => clock.now(),
    onConflict: (stream) => metrics.countAppendConflict(streamCategory(stream)),
  });
  return {
    config,
    engines,
    handle,
    readModels: createReadModels(engines.documents, clock),
    logId: log.logWhenAsked === undefined ? await engines.eventStore.logId() : '',
    logger,
    metrics,
    clock,
    ...(drawsSamples && { drawSample }),
  };
}

/** Never reached in practice: the timer only has to be there. */
const KEEP_ALIVE_MS = 2 ** 30;

/** Services wait longer for a log that starts with them; whoever typed a command wants to know. In milliseconds. */
const LOG_PATIENCE_MS = 8_000;

interface Access extends Pick<LogOptions, 'logWhenAsked'> {
  /** One that is not there yet is made. */
  readonly fresh?: boolean;
  /** Also one that was taken elsewhere or is not all here yet, for who only looks. */
  readonly moved?: boolean;
}

/**
 * Runs a command on the market of this machine's settings, whether it is open or not; engines are
 * closed whatever happens. @throws Exit 78 where there is no market yet.
 */
export async function withContext<T>(
  work: (context: AppContext) => Promise<T>,
  { fresh = false, moved = false, ...log }: Access = {},
): Promise<T> {
  const plan = planOrExit(process.env, true);
  const embedded = plan.variables.EVENTSTORE_URL === undefined;
  const { dataDir: folder } = plan;
  const isLost = lostFiles(folder, [files.log]).length > 0;
  if (embedded && !fresh && !isLost && !existsSync(join(folder, files.log)))
    throw configExit(
      `There is no market in ${folder} yet: open it once with npm start, or say where it is with --data-dir or DATA_DIR.`,
    );
  const { config, dataDir, logger } = await openData(plan, { service: 'cli', listens: false });
  const context = await openContext({
    config,
    logger,
    drawsSamples: config.demo,
    logPatienceMs: LOG_PATIENCE_MS,
    ...log,
  });
  // Engines that wait for each other's news keep no process alive; a command under way does.
  const alive = setInterval(() => {}, KEEP_ALIVE_MS);
  try {
    if (log.logWhenAsked === undefined) await refuseForeignLog(context);
    if (!moved) await refuseMoved(context);
    // A market that was imported or restored has no read models before its first start.
    await context.engines.documents.ensure(BOOKKEEPING);
    return await work(context);
  } finally {
    clearInterval(alive);
    await context.engines.close();
    await logger.close();
    dataDir.release();
  }
}
