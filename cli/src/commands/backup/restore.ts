import { existsSync, readFileSync, rmSync } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import {
  announced,
  anotherRuns,
  BOOKKEEPING,
  completeConfig,
  createLateLogger,
  destroyedIn,
  files,
  isLocked,
  makeFolder,
  openDataDir,
  opensKeys,
  type Plan,
  RESTORING,
  sentenceOf,
  writeOnce,
} from '@oja/platform';
import { projections, storedStatus } from '@oja/projector';
import { z } from 'zod';
import type { Answer } from '../../answers/index.js';
import { openContext } from '../../runtime/context.js';
import { type Confirmed, confirm } from '../../terminal/confirm.js';
import { configExit, Exit, exitCodes } from '../../terminal/exit.js';
import { record } from '../shared/operator.js';
import {
  checkedManifest,
  keyDatabases,
  type Manifest,
  marketDatabases,
  refuseOtherKeys,
} from './manifest.js';

export type Restored = Answer<'restore'>;

const marker = z.object({ backup: z.string(), erased: z.array(z.string()) });

const sides = ['', '-wal', '-shm'];
const removeDatabase = (dataDir: string, name: string) => {
  for (const side of sides) rmSync(join(dataDir, `${name}${side}`), { force: true });
};

/** Both parts of one backup, checked. */
async function checked(
  folder: string,
  keysFolder: string,
): Promise<{ readonly market: Manifest; readonly keys: Manifest }> {
  const market = await checkedManifest(folder, 'market');
  const keys = await checkedManifest(keysFolder, 'keys');
  refuseOtherKeys({ where: folder, manifest: market }, { where: keysFolder, manifest: keys });
  return { market, keys };
}

/** A backup's keys open with the master key of its time; a demo's lies beside them. @throws Exit 78 */
function refuseOtherMasterKey({ variables }: Plan, keysFolder: string): void {
  const { KEYS_MASTER_KEY: key, KEYS_MASTER_KEY_FALLBACK: fallback = null } = variables;
  if (key === undefined || opensKeys(join(keysFolder, files.keys), key, fallback)) return;
  throw configExit(
    'The keys of this backup were wrapped under another KEYS_MASTER_KEY: set KEYS_MASTER_KEY_FALLBACK to the one of then; nothing was changed.',
  );
}

async function copyInto(
  dataDir: string,
  folder: string,
  { files: copied }: Manifest,
  signal: AbortSignal,
): Promise<void> {
  for (const { name } of copied) {
    const to = join(dataDir, name);
    makeFolder(dirname(to));
    await copyFile(join(folder, name), to);
    // A copy has the rights of what it was copied from.
    await chmod(to, 0o600);
    signal.throwIfAborted();
  }
}

/**
 * Begins or goes on: what the folder knew of erased people is kept in the marker until the end, since
 * the copies know less. Until then nothing else opens the folder.
 */
function begin(dataDir: string, backup: string): readonly string[] {
  const path = join(dataDir, RESTORING);
  const erased = destroyedIn(join(dataDir, files.keys));
  writeOnce(path, `${JSON.stringify({ backup, erased })}\n`, 0o600);
  const begun = marker.parse(JSON.parse(readFileSync(path, 'utf8')));
  if (begun.backup !== backup)
    throw new Exit(
      exitCodes.usage,
      `Another backup is half restored into ${dataDir}: finish that one first.`,
    );
  return begun.erased;
}

/** A service that begins from now on is refused by the marker; one that runs already keeps us out. */
function refuseWhileOpen(dataDir: string, begun: boolean): void {
  const [first] = announced(dataDir);
  if (first === undefined) return;
  if (!begun) rmSync(join(dataDir, RESTORING));
  throw configExit(
    `${first.service} runs on the folder ${dataDir} (process ${first.pid}): stop it first; nothing was changed.`,
  );
}

/** Asks before a market is replaced that is there whole. @throws Exit 2, Interrupted. */
export async function confirmReplaced(
  dataDir: string,
  { at }: Manifest,
  options: Confirmed,
): Promise<void> {
  if (!existsSync(join(dataDir, files.log)) || existsSync(join(dataDir, RESTORING))) return;
  await confirm(
    `The market in ${resolve(dataDir)} will be replaced by the backup of ${at}.`,
    options,
  );
}

/** For who would fetch much before it is refused. @throws Exit 78 where a market or a service of it runs. */
export function refuseRunning(dataDir: string): void {
  if (isLocked(dataDir)) throw configExit(anotherRuns(resolve(dataDir)));
  refuseWhileOpen(dataDir, true);
}

/** Puts a market's files back. The folder's market must not run. @throws Exit, or the signal's reason; whole or resumable. */
export async function restore(
  plan: Plan,
  from: string,
  keysFrom: string,
  options: Confirmed,
  signal: AbortSignal,
): Promise<Restored> {
  const [folder, keysFolder] = [resolve(from), resolve(keysFrom)];
  const { market, keys } = await checked(folder, keysFolder);
  refuseOtherMasterKey(plan, keysFolder);
  signal.throwIfAborted();
  const begun = existsSync(join(plan.dataDir, RESTORING));
  await confirmReplaced(plan.dataDir, market, options);
  const opened = openDataDir(plan.dataDir, { exclusive: true, restoring: true });
  if (!opened.ok) throw configExit(opened.message);
  const { path: dataDir, release } = opened.dataDir;
  try {
    const erased = begin(dataDir, market.id);
    refuseWhileOpen(dataDir, begun);
    for (const name of [...marketDatabases, ...keyDatabases]) removeDatabase(dataDir, name);
    await copyInto(dataDir, keysFolder, keys, signal);
    await copyInto(dataDir, folder, market, signal);
    const { erasedAgain, modelsLeftOut } = await settle(plan, dataDir, erased);
    // They would follow a log that has not happened; whatever is built is built from the one that has.
    if (modelsLeftOut) removeDatabase(dataDir, files.documents);
    rmSync(join(dataDir, RESTORING));
    return { dataDir, at: market.at, head: market.head, erasedAgain, modelsLeftOut };
  } finally {
    release();
  }
}

/** What the copies do not know: who was erased since, and that models may not be ahead of the log. */
async function settle(
  plan: Plan,
  dataDir: string,
  erased: readonly string[],
): Promise<Pick<Restored, 'erasedAgain' | 'modelsLeftOut'>> {
  const config = completeConfig(plan, dataDir);
  if (!config.ok) throw configExit(sentenceOf(config.problems));
  const logger = createLateLogger({
    level: config.value.logLevel,
    service: 'cli',
    file: join(dataDir, files.logs, 'cli.log'),
  });
  const context = await openContext({ config: config.value, logger, drawsSamples: false });
  const { engines, clock } = context;
  let erasedAgain = 0;
  try {
    // Before anything is appended: what is written here would make up for what the models are ahead by.
    await engines.documents.ensure(BOOKKEEPING);
    const models = await storedStatus(engines, projections, clock.now());
    const modelsLeftOut = models.some(({ aheadOfLog }) => aheadOfLog);
    for (const subject of erased) {
      if (await engines.keys.isDestroyed(subject)) continue;
      const data = { subject, at: new Date(clock.now()).toISOString() };
      await record(context, { type: 'SubjectErased', data });
      await engines.keys.destroy(subject);
      await engines.mail.forget(subject);
      erasedAgain += 1;
    }
    return { erasedAgain, modelsLeftOut };
  } finally {
    await engines.close();
    await logger.close();
  }
}
