import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Config,
  checkDatabase,
  checkForDamage,
  completeConfig,
  createLateLogger,
  type DataDir,
  files,
  hostsOf,
  joinProblems,
  type LoggerOptions,
  lostFiles,
  type OpenLogger,
  openDataDir,
  type Plan,
  persistentFiles,
  planStart,
  takesTestPayments,
} from '@oja/platform';
import { configExit, Exit, systemCodeOf } from '../terminal/exit.js';
import type { ServiceName } from './program.js';

/** The opened data folder, with its configuration and a logger. */
interface OpenedData {
  readonly config: Config;
  readonly dataDir: DataDir;
  readonly logger: OpenLogger;
}

/** Reads the settings from the environment and changes nothing. @throws Exit 78 naming what is missing or wrong. */
export function planOrExit(env: NodeJS.ProcessEnv, everything: boolean): Plan {
  const plan = planStart(env, { everything });
  if (!plan.ok) throw configExit(joinProblems(plan.problems));
  return plan.value;
}

/**
 * @throws Exit 78 when this user may not look into a folder, which would otherwise be taken for a missing one; and for
 *   a file in its place.
 */
export function refuseForbidden(folder: string): void {
  try {
    const isFile = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false;
    if (isFile) throw configExit(`${folder} is a file, not a folder: name the folder.`);
    accessSync(folder, constants.R_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof Exit) throw error;
    if (systemCodeOf(error) === 'EACCES')
      throw configExit(
        `You may not look into ${folder}: run the command as the user that the market runs as, for instance with sudo.`,
      );
  }
}

const lossEffects: Readonly<Record<string, string>> = {
  [files.log]: 'nothing would be left of the market',
  [files.state]: 'nobody could log in, and what was answered or paid would be asked for again',
  [files.keys]: 'nobody’s name, address or bank account could be read',
};

/** The error for a database that once existed in the folder: a new, empty one beside the rest would hide the loss. */
function lostDatabaseExit(dataDir: string, [lost = '']: readonly string[]): Exit {
  const how = existsSync(join(dataDir, lost)) ? 'empty in' : 'missing from';
  const fromExport = lost === files.log ? ', or from an export with oja import' : '';
  return configExit(
    `${lost} is ${how} ${dataDir}: without it ${lossEffects[lost]}. Put it back, from a backup with oja restore${fromExport}; or set DATA_DIR to a new folder for a new market.`,
  );
}

/** @throws Exit 78 when one of these databases once existed in the folder and is lost. */
export function refuseLost(dataDir: string, names: readonly string[]): void {
  const lost = lostFiles(dataDir, names);
  if (lost.length > 0) throw lostDatabaseExit(dataDir, lost);
}

/**
 * Checks the databases for damage before a start, a status or a verification; other commands report the same when they
 * meet it. `whole`: every page and every text, however large the files are. @throws DamagedFile
 */
export function refuseDamaged(config: Config, { whole = false } = {}): void {
  const { dataDir, mongodbUrl, redisUrl } = config;
  const madeAgain = [
    ...(mongodbUrl === null ? [files.documents] : []),
    ...(redisUrl === null ? [files.jobs] : []),
  ];
  for (const name of [...persistentFiles(config), ...madeAgain])
    if (whole) checkDatabase(dataDir, name);
    else checkForDamage(join(dataDir, name));
}

/** The plan with its port tested, before anything is written; port 0 is replaced by a free one. @throws Exit 78 */
export async function withPort(plan: Plan): Promise<Plan> {
  // The server code is loaded only here, because most commands do not listen and start faster without it.
  const [{ createListener }, { default: Koa }] = await Promise.all([
    import('@oja/http'),
    import('koa'),
  ]);
  const listener = createListener(new Koa(), { port: plan.variables.PORT, hosts: hostsOf(plan) });
  const listening = await listener.listen();
  if (!listening.ok) throw configExit(listening.message);
  await listener.close();
  return { ...plan, variables: { ...plan.variables, PORT: listening.port } };
}

/**
 * Opens the data folder with its secrets, and the logger of this process: to stdout for a single service, to a file
 * for the whole market and for commands, which print for people. @throws Exit 78, with nothing written.
 */
export async function openData(
  given: Plan,
  options: {
    readonly service: ServiceName | 'market' | 'cli';
    readonly listens: boolean;
    readonly createLog?: (options: LoggerOptions) => OpenLogger;
    /** A database that may be lost: the command brings its content in again. */
    readonly recreates?: string | undefined;
  },
): Promise<OpenedData> {
  const plan = options.listens ? await withPort(given) : given;
  const exclusive = options.service === 'market';
  const toFile = exclusive || options.service === 'cli';
  const opened = openDataDir(plan.dataDir, {
    exclusive,
    ...(options.listens && { service: options.service }),
  });
  if (!opened.ok) throw configExit(opened.message);
  const { dataDir } = opened;
  const config = completeConfig(plan, dataDir.path);
  const lost = config.ok
    ? lostFiles(
        dataDir.path,
        persistentFiles(config.value).filter((name) => name !== options.recreates),
      )
    : [];
  if (!config.ok || lost.length > 0) {
    dataDir.release();
    throw config.ok
      ? lostDatabaseExit(dataDir.path, lost)
      : configExit(joinProblems(config.problems));
  }
  const { createLog = createLateLogger } = options;
  const logger = createLog({
    level: config.value.logLevel,
    service: options.service,
    ...(toFile && { file: join(dataDir.path, files.logs, `${options.service}.log`) }),
  });
  if (dataDir.readableByOthers.length > 0)
    logger.warn(
      { wider: dataDir.readableByOthers },
      'other users of this machine can read the data folder',
    );
  if (options.listens && takesTestPayments(config.value))
    logger.warn({}, 'no real money is taken: PAYSTACK_SECRET is a test key, and this is no demo');
  return { config: config.value, dataDir, logger };
}
