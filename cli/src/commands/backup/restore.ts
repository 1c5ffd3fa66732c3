import { existsSync, readFileSync, rmSync } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { subjectId } from '@oja/domain';
import {
  alreadyRunning,
  completeConfig,
  createEmbeddedEventStore,
  createLateLogger,
  DamagedFile,
  destroyedIn,
  type EventStore,
  files,
  isLocked,
  joinProblems,
  lostFiles,
  makeFolder,
  nearestExisting,
  nowOf,
  openDataDir,
  opensKeys,
  type Plan,
  PROJECTION_STATE_COLLECTIONS,
  RESTORING,
  replaceFile,
  runningServices,
  spareBytes,
} from '@oja/platform';
import { projections, storedStatus } from '@oja/projector';
import { z } from 'zod';
import type { Answer } from '../../answers/index.js';
import { JOBS_TIMEOUTS, openContext } from '../../runtime/context.js';
import { recordByOperator } from '../../runtime/operator.js';
import { type ConfirmOptions, confirm } from '../../terminal/confirm.js';
import { configExit } from '../../terminal/exit.js';
import { sayNote } from '../../terminal/output.js';
import { closeAgain } from '../erase/seller.js';
import { fileBytes, freeBytesIn, requireDiskSpace } from '../shared/disk-space.js';
import { checkBackup } from './checking.js';
import { erasedSubject } from './erased-since.js';
import {
  bytesOf,
  keyDatabases,
  type Manifest,
  marketDatabases,
  picturesIn,
  SECRETS,
} from './manifest.js';

export type Restored = Answer<'restore'>;

const marker = z.object({ backup: z.string(), erased: z.array(z.string()).readonly() });

const sides = ['', '-wal', '-shm'];
const removeDatabase = (dataDir: string, name: string) => {
  for (const side of sides) rmSync(join(dataDir, `${name}${side}`), { force: true });
};

/** Requires the master key that wrapped the backup's keys; a demo's is in the backup. @throws Exit 78 */
function refuseOtherMasterKey({ variables }: Plan, keysFolder: string): void {
  const { KEYS_MASTER_KEY: key, KEYS_MASTER_KEY_FALLBACK: fallback = null } = variables;
  if (key === undefined || opensKeys(join(keysFolder, files.keys), key, fallback)) return;
  throw configExit(
    'The keys of this backup were wrapped under another KEYS_MASTER_KEY: set KEYS_MASTER_KEY_FALLBACK to the key that was in use then; nothing was changed.',
  );
}

/**
 * The secrets of a market that is no demo are its operator's, and no backup has them. @throws Exit 78 when neither the
 * keys of the backup nor the settings have them, as in a shell without the market's settings.
 */
export function refuseWithoutSecrets({ variables }: Plan, keys: Manifest): void {
  const { KEYS_MASTER_KEY: key, TOKEN_SECRET: token } = variables;
  if (keys.files.some(({ name }) => name === SECRETS)) return;
  if (key !== undefined && token !== undefined) return;
  throw configExit(
    'This backup is of a market that is no demo: run the command with the settings of that market, its TOKEN_SECRET and KEYS_MASTER_KEY among them; nothing was changed.',
  );
}

/**
 * The files of the backup must fit beside what is not deleted for them, with room to write on. @throws Exit 1 when they
 * do not.
 */
async function requireRestoreSpace(dataDir: string, manifests: readonly Manifest[]): Promise<void> {
  const copied = manifests.flatMap((manifest) => manifest.files);
  const removed = [...marketDatabases, ...keyDatabases].flatMap((name) =>
    sides.map((side) => `${name}${side}`),
  );
  const replaced = new Set([...removed, ...copied.map(({ name }) => name)]);
  const comes = bytesOf(manifests) + spareBytes;
  const needed = [...replaced].reduce((sum, name) => sum - fileBytes(join(dataDir, name)), comes);
  const folder = nearestExisting(resolve(dataDir));
  requireDiskSpace({ folder, needed, free: await freeBytesIn(folder) }, 'The restore');
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
    // A copy has the permissions of its source, which may be wider.
    await chmod(to, 0o600);
    signal.throwIfAborted();
  }
}

/**
 * Deletes the pictures of the market that is replaced: no restored record names one that was uploaded after the backup,
 * so nothing would ever remove it. Those of the backup are copied by now, and a restore that is killed here is run again.
 */
function removeOtherPictures(dataDir: string, { files: copied }: Manifest): void {
  const own = new Set(copied.map(({ name }) => name));
  for (const name of picturesIn(dataDir))
    if (!own.has(name)) rmSync(join(dataDir, name), { force: true });
}

/** The erased subjects of the market that is replaced: from its log where its keys are lost or damaged. */
async function readErased(dataDir: string, signal: AbortSignal): Promise<readonly string[]> {
  try {
    const destroyed = destroyedIn(join(dataDir, files.keys));
    if (destroyed !== null) return destroyed;
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error;
  }
  const log = join(dataDir, files.log);
  const { subjects, isWhole } =
    fileBytes(log) > 0
      ? await readErasedInLog(log, signal)
      : { subjects: [], isWhole: lostFiles(dataDir, [files.log]).length === 0 };
  if (!isWhole)
    sayNote(
      `It is not known for certain who was erased from the market that is replaced, because its ${files.keys} and its ${files.log} are lost or damaged: erase them again.`,
    );
  return subjects;
}

/** The subjects that were erased according to a log, as far as it can be read. */
async function readErasedInLog(
  file: string,
  signal: AbortSignal,
): Promise<{ readonly subjects: readonly string[]; readonly isWhole: boolean }> {
  const subjects = new Set<string>();
  let eventStore: EventStore | null = null;
  try {
    eventStore = await createEmbeddedEventStore({ file });
    for await (const { type, data } of eventStore.readAll({ after: null })) {
      signal.throwIfAborted();
      const subject = erasedSubject(type, data);
      if (subject !== null) subjects.add(subject);
    }
    return { subjects: [...subjects], isWhole: true };
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error;
    return { subjects: [...subjects], isWhole: false };
  } finally {
    await eventStore?.close();
  }
}

type Begun = z.infer<typeof marker>;

/** What was begun in the folder and not finished; null when nothing was. */
function readMarker(dataDir: string): Begun | null {
  const path = join(dataDir, RESTORING);
  return existsSync(path) ? marker.parse(JSON.parse(readFileSync(path, 'utf8'))) : null;
}

/**
 * Begins or continues a restore, or takes the place of an unfinished one. The marker file keeps the erased subjects of
 * the replaced market, which no backup knows, until the end; as long as it exists, nothing else opens the folder.
 */
async function beginRestore(
  dataDir: string,
  backup: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const path = join(dataDir, RESTORING);
  const begun = readMarker(dataDir);
  // Only once: the files of a restore that was killed may be half copied.
  const erased = begun?.erased ?? (await readErased(dataDir, signal));
  const text = `${JSON.stringify({ backup, erased } satisfies Begun)}\n`;
  if (begun?.backup !== backup) replaceFile(path, text, 0o600);
  return erased;
}

/** Services that start from now on are stopped by the marker. @throws Exit 78 when one runs on the folder already. */
function refuseServices(dataDir: string, begun: boolean): void {
  const [first] = runningServices(dataDir);
  if (first === undefined) return;
  if (!begun) rmSync(join(dataDir, RESTORING));
  throw configExit(
    `${first.service} runs on the folder ${dataDir} (process ${first.pid}): stop it first; nothing was changed.`,
  );
}

/**
 * Asks before an existing, whole market is replaced, or what an unfinished restore of another backup has left.
 * @throws Exit 2 or Interrupted when it may not be.
 */
export async function confirmReplaced(
  dataDir: string,
  { id, at }: Manifest,
  options: ConfirmOptions,
): Promise<void> {
  const begun = readMarker(dataDir);
  if (begun?.backup === id) return;
  const folder = resolve(dataDir);
  if (begun !== null)
    await confirm(
      `The restore of another backup into ${folder} was not finished: the backup of ${at} will take its place.`,
      options,
    );
  else if (existsSync(join(dataDir, files.log)))
    await confirm(`The market in ${folder} will be replaced by the backup of ${at}.`, options);
}

/** An early check, before much is downloaded. @throws Exit 78 when the market or a service of it runs. */
export function refuseServedFolder(dataDir: string): void {
  if (isLocked(dataDir)) throw configExit(alreadyRunning(resolve(dataDir)));
  refuseServices(dataDir, true);
}

/**
 * Replaces the market in the data folder, which must not run, by the files of a backup.
 * @throws Exit, or the signal's reason. The folder is then unchanged, or the same command finishes the restore.
 */
export async function restore(
  plan: Plan,
  from: string,
  keysFrom: string,
  options: ConfirmOptions,
  signal: AbortSignal,
): Promise<Restored> {
  const [folder, keysFolder] = [resolve(from), resolve(keysFrom)];
  const { market, keys, damaged } = await checkBackup(folder, keysFolder, signal);
  refuseWithoutSecrets(plan, keys);
  refuseOtherMasterKey(plan, keysFolder);
  signal.throwIfAborted();
  await requireRestoreSpace(plan.dataDir, [market, keys]);
  const begun = existsSync(join(plan.dataDir, RESTORING));
  await confirmReplaced(plan.dataDir, market, options);
  const opened = openDataDir(plan.dataDir, { exclusive: true, restoring: true });
  if (!opened.ok) throw configExit(opened.message);
  const { path: dataDir, release } = opened.dataDir;
  try {
    const erased = await beginRestore(dataDir, market.id, signal);
    refuseServices(dataDir, begun);
    for (const name of [...marketDatabases, ...keyDatabases]) removeDatabase(dataDir, name);
    await copyInto(dataDir, keysFolder, keys, signal);
    await copyInto(dataDir, folder, market, signal);
    removeOtherPictures(dataDir, market);
    const { erasedAgain, areAhead } = await finishRestore(plan, dataDir, erased, signal);
    const modelsLeftOut = areAhead || damaged.includes(files.documents);
    // Read models ahead of the restored log hold events that it does not have: the next start rebuilds them.
    if (modelsLeftOut) removeDatabase(dataDir, files.documents);
    rmSync(join(dataDir, RESTORING));
    return { dataDir, at: market.at, head: market.head, erasedAgain, modelsLeftOut, damaged };
  } finally {
    release();
  }
}

/** Erases again the people who were erased after the backup, and finds out whether read models are ahead of the log. */
async function finishRestore(
  plan: Plan,
  dataDir: string,
  erased: readonly string[],
  signal: AbortSignal,
): Promise<Pick<Restored, 'erasedAgain'> & { readonly areAhead: boolean }> {
  const config = completeConfig(plan, dataDir);
  if (!config.ok) throw configExit(joinProblems(config.problems));
  const logger = createLateLogger({
    level: config.value.logLevel,
    service: 'cli',
    file: join(dataDir, files.logs, 'cli.log'),
  });
  const context = await openContext({
    config: config.value,
    logger,
    ...JOBS_TIMEOUTS,
  });
  const { engines, clock } = context;
  try {
    // Checked before anything is appended: the events appended below could hide that a model is ahead.
    await engines.documents.ensure(PROJECTION_STATE_COLLECTIONS);
    const models = await storedStatus(engines, projections, clock.now());
    const areAhead = models.some(({ aheadOfLog }) => aheadOfLog);
    const returned: string[] = [];
    for (const subject of erased)
      if (!(await engines.keys.isDestroyed(subject))) returned.push(subject);
    const sellers = returned.flatMap((subject) => subjectId('seller', subject) ?? []);
    await closeAgain(context, sellers, signal);
    for (const subject of returned) {
      const data = { subject, at: nowOf({ clock }) };
      await recordByOperator(context, { type: 'SubjectErased', data });
      await engines.keys.destroy(subject);
      await engines.mail.forget(subject);
    }
    return { erasedAgain: returned.length, areAhead };
  } finally {
    await engines.close();
    await logger.close();
  }
}
