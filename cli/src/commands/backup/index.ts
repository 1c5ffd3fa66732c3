import { resolve } from 'node:path';
import { DamagedFile, type Plan, systemClock, writeOnce } from '@oja/platform';
import { type AppContext, withContext } from '../../runtime/context.js';
import { planOrExit } from '../../runtime/open-data.js';
import { type ConfirmOptions, confirm } from '../../terminal/confirm.js';
import { configExit, Exit, exitCodes, systemCodeOf, usageExit } from '../../terminal/exit.js';
import { interruptSignal } from '../../terminal/interrupt.js';
import { toOutcome } from '../../terminal/outcome.js';
import {
  formatMegabytes,
  formatTable,
  type Output,
  paint,
  plural,
  printAnswer,
  sayNote,
} from '../../terminal/output.js';
import { withByteProgress } from '../../terminal/progress.js';
import { withoutMilliseconds } from '../../terminal/times.js';
import { backUp, refuseTogether } from './backup.js';
import { countErasedIfReadable } from './erased-since.js';
import { MANIFEST, manifestOf } from './manifest.js';
import { existingStorageAt, storageAt } from './open-storage.js';
import { refuseServers } from './refuse-servers.js';
import { restore } from './restore.js';
import {
  backupsIn,
  executePrune,
  planPrune,
  type Removed,
  type RemovedKeys,
  type Retention,
} from './retention.js';
import {
  formatAddress,
  isS3,
  keysPlaceFor,
  type Parts,
  partAddresses,
  withoutEndSlash,
} from './storage.js';

interface Places {
  readonly keys?: string;
}

const SECOND_MS = 1_000;

/** The name of a backup in S3: the time at which it was begun, without the colons, which a path may not have. */
const nameOf = (now: number): string =>
  withoutMilliseconds(new Date(now).toISOString()).replaceAll(':', '-');

/**
 * Where a new backup goes: the named folder itself, or a new name below the S3 address. Of two backups that begin in one
 * second the later one has the name of the next.
 * @throws Exit 78 or 1 when the S3 address is not accessible
 */
async function newAddresses(address: string, options: Places, now: number): Promise<Parts> {
  if (!isS3(address)) return partAddresses(address, options);
  const place = withoutEndSlash(address);
  const keys = withoutEndSlash(options.keys ?? keysPlaceFor(address));
  refuseTogether(place, keys);
  const taken = await (await storageAt(place)).names();
  let at = now;
  while (taken.includes(nameOf(at))) at += SECOND_MS;
  const name = nameOf(at);
  return { market: { place, name }, keys: { place: keys, name } };
}

/** @throws Exit 78 when neither BACKUP_RECIPIENT nor BACKUP_KEY is set. */
async function recipientsOf({ variables }: Plan): Promise<readonly string[]> {
  const { BACKUP_RECIPIENT: recipients, BACKUP_KEY: key } = variables;
  if (recipients !== undefined) return recipients;
  if (key !== undefined) return [await (await import('./encryption.js')).recipientOf(key)];
  throw configExit(
    'Backups are encrypted before they leave this machine: create a key with oja backup key <file>, and set BACKUP_RECIPIENT to what it prints.',
  );
}

/** A deletion that leaves the keys somewhere must not sound like one that erases people. `keys`: their place. */
const linesOfRemoved = (removed: readonly Removed[], keys: string, dryRun = false) =>
  removed.map(({ name, at, bytes, withKeys }) => {
    const what = `${dryRun ? 'Would delete' : 'Deleted'} ${name} of ${at}, ${formatMegabytes(bytes)}`;
    return withKeys ? `${what} with its keys.` : `${what}; its keys are not in ${keys}.`;
  });

/** Deletes older backups after a new one. @throws Exit saying that the new one exists, when deleting the old fails. */
async function pruneAfterBackup(
  { logId, clock }: AppContext,
  parts: Parts,
  retention: Retention,
  signal: AbortSignal,
): Promise<readonly Removed[]> {
  if (retention.keep === undefined && retention.keepDays === undefined) return [];
  const places = {
    market: await storageAt(parts.market.place),
    keys: await storageAt(parts.keys.place),
  };
  try {
    const { backups } = await planPrune(places, logId, retention, clock.now());
    await executePrune(places, { backups, loneKeys: [] }, signal);
    return backups.map(({ backup }) => backup);
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    const made = `${formatAddress(parts.market)} is made, but older backups were not all deleted`;
    throw new Exit(error.code, `${made}: ${error.message}`);
  }
}

/** The error of a backup, which says of a damaged market that none was made. */
function toBackupError(error: unknown): unknown {
  if (!(error instanceof DamagedFile)) return error;
  const { sentence, code } = toOutcome(error);
  return new Exit(code, `No backup was made, because ${sentence}`);
}

/** Backs the market up while it may run. To S3, or with `encrypt`, each file is encrypted before it leaves. */
export async function backup(
  address: string,
  options: Output & Places & Retention & { readonly encrypt?: boolean },
): Promise<void> {
  const plan = planOrExit(process.env, true);
  refuseServers(plan, 'backup');
  const isSent = options.encrypt === true || isS3(address) || isS3(options.keys ?? '');
  const recipients = isSent ? await recipientsOf(plan) : [];
  const signal = interruptSignal();
  await withContext(
    async (context) => {
      const parts = await newAddresses(address, options, context.clock.now());
      const done = isSent
        ? await (await import('./sending.js')).sendBackup(context, parts, recipients, signal)
        : await withByteProgress('Copying', (at) =>
            backUp(context, formatAddress(parts.market), formatAddress(parts.keys), signal, at),
          );
      const removed = await pruneAfterBackup(context, parts, options, signal);
      printAnswer<'backup'>(options, { ...done, encrypted: isSent, removed }, () => [
        `${plural(done.files, 'file')}, ${formatMegabytes(done.bytes)}: the market in ${done.folder}, its keys in ${done.keysFolder}.`,
        'Keep the two in different places: only both together can be read.',
        ...linesOfRemoved(removed, parts.keys.place),
      ]);
    },
    { mayBeMoved: true },
  ).catch((error: unknown) => {
    throw toBackupError(error);
  });
}

/** Writes a new backup key to a new file. @throws Exit 2 when the file exists. */
export async function newBackupKey(file: string, options: Output): Promise<void> {
  const { newKey } = await import('./encryption.js');
  const { text, recipient } = await newKey(systemClock.now());
  let isNew: boolean;
  try {
    isNew = writeOnce(resolve(file), text, 0o600);
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === null) throw error;
    throw usageExit(`${file} cannot be created (${code}): name another file.`);
  }
  if (!isNew) throw usageExit(`${file} is there already: name a new file.`);
  printAnswer<'backup key'>(options, { file: resolve(file), recipient }, () => [
    `BACKUP_RECIPIENT=${recipient}`,
    `Set this variable where backups are made. Keep ${file} away from the market and from its backups: no backup can be opened without it.`,
  ]);
}

/** Lists the backups at a place, of any market. Exit code 1 where there is none: a monitor should notice. */
export async function list(place: string, options: Output): Promise<void> {
  const found = await backupsIn(await existingStorageAt(place));
  const held = await countErasedIfReadable(planOrExit(process.env, true), found);
  const backups = found.map(({ headAfter: _, ...backup }) => ({
    ...backup,
    erasedStillHeld: held.get(backup.name) ?? null,
  }));
  printAnswer<'backup list'>(options, backups, () =>
    backups.length === 0
      ? [`There is no backup in ${place}.`]
      : [
          ...formatTable([
            ['NAME', 'PART', 'OF', 'FILES', 'SIZE', ''],
            ...backups.map((backup) => [
              backup.name,
              backup.part,
              withoutMilliseconds(backup.at),
              String(backup.files),
              formatMegabytes(backup.bytes),
              [
                backup.encrypted ? 'encrypted' : '',
                backup.whole ? '' : paint.bad('not whole'),
                backup.erasedStillHeld ? paint.warn(`${backup.erasedStillHeld} erased`) : '',
              ]
                .filter((word) => word !== '')
                .join(', '),
            ]),
          ]),
          ...(backups.some(({ erasedStillHeld }) => erasedStillHeld)
            ? [
                "'erased': people who have been erased since, but whose keys are still in the backup; deleting the backup deletes them.",
              ]
            : []),
        ],
  );
  if (backups.length === 0) process.exitCode = exitCodes.failed;
}

/** What is asked before backups, keys without a backup, or both are deleted. */
function pruneQuestion(
  place: string,
  keys: string,
  removed: readonly Removed[],
  lone: readonly RemovedKeys[],
): string {
  const without = removed.filter(({ withKeys }) => !withKeys).length;
  const backups =
    without === 0
      ? `${plural(removed.length, 'backup')} in ${place} will be deleted with their keys, the newest of ${removed.at(-1)?.at}.`
      : `${plural(removed.length, 'backup')} in ${place} will be deleted, the newest of ${removed.at(-1)?.at}; the keys of ${without} are not in ${keys}.`;
  const alone = `In ${keys}, the keys of ${plural(lone.length, 'backup')} that ${lone.length === 1 ? 'is' : 'are'} not in ${place} will be deleted, the newest of ${lone.at(-1)?.at}: if such a backup lies elsewhere, it can never be read again.`;
  return [...(removed.length > 0 ? [backups] : []), ...(lone.length > 0 ? [alone] : [])].join(' ');
}

/** Deletes this market's backups that the retention does not keep, and with `loneKeys` keys without a backup; asks first. */
export async function pruneBackups(
  place: string,
  options: Output &
    Places &
    Retention &
    ConfirmOptions & { readonly dryRun?: boolean; readonly loneKeys?: boolean },
): Promise<void> {
  const signal = interruptSignal();
  const keysPlace = options.keys ?? keysPlaceFor(place);
  const places = {
    market: await existingStorageAt(place),
    keys: await existingStorageAt(keysPlace),
  };
  await withContext(
    async ({ logId, clock }) => {
      const { backups, loneKeys } = await planPrune(places, logId, options, clock.now());
      signal.throwIfAborted();
      const removed = backups.map(({ backup }) => backup);
      const removedKeys = options.loneKeys ? loneKeys : [];
      if (!options.dryRun && removed.length + removedKeys.length > 0) {
        await confirm(pruneQuestion(place, keysPlace, removed, removedKeys), options);
        await executePrune(places, { backups, loneKeys: removedKeys }, signal);
      }
      if (loneKeys.length > removedKeys.length)
        sayNote(
          `${keysPlace} holds the keys of ${plural(loneKeys.length, 'backup')} that ${loneKeys.length === 1 ? 'is' : 'are'} not in ${place}, the newest of ${loneKeys.at(-1)?.at}: if no backup elsewhere needs them, --lone-keys deletes them.`,
        );
      const dryRun = options.dryRun === true;
      printAnswer<'backup prune'>(options, { removed, removedKeys, dryRun }, () =>
        removed.length + removedKeys.length === 0
          ? [`No backup of this market in ${place} is to be deleted.`]
          : [
              ...linesOfRemoved(removed, keysPlace, dryRun),
              ...removedKeys.map(
                ({ name, at, bytes }) =>
                  `${dryRun ? 'Would delete' : 'Deleted'} the keys ${name} of ${at}, ${formatMegabytes(bytes)}.`,
              ),
            ],
      );
    },
    { mayBeMoved: true },
  );
}

/** Whether a backup lies in S3 or is encrypted: then it is fetched and decrypted before it is restored. */
async function isFetched({ market, keys }: Parts): Promise<boolean> {
  if (isS3(market.place) || isS3(keys.place)) return true;
  const text = await (await storageAt(market.place)).text(market.name, MANIFEST);
  return text !== null && manifestOf(text)?.encryption !== undefined;
}

/** Restores a backup; fetches and decrypts it first when needed. */
export async function restoreBackup(
  address: string,
  options: Output & Places & ConfirmOptions,
): Promise<void> {
  const plan = planOrExit(process.env, true);
  refuseServers(plan, 'restore');
  const signal = interruptSignal();
  const parts = partAddresses(address, options);
  const put = (folder: string, keysFolder: string, confirmed: ConfirmOptions) =>
    restore(plan, folder, keysFolder, confirmed, signal);
  const done = (await isFetched(parts))
    ? await (await import('./fetching.js')).withFetched(
        plan,
        parts,
        options,
        signal,
        // `withFetched` has asked already.
        (folder, keysFolder) => put(folder, keysFolder, { yes: true }),
      )
    : await put(formatAddress(parts.market), formatAddress(parts.keys), options);
  printAnswer<'restore'>(options, done, () => [
    `The market as of ${done.at} is restored to ${done.dataDir}; start it.`,
    ...(done.erasedAgain > 0
      ? [`${plural(done.erasedAgain, 'person', 'people')} erased since then stay erased.`]
      : []),
    ...(done.damaged.length > 0
      ? [
          paint.warn(
            `${done.damaged.join(' and ')} ${done.damaged.length === 1 ? 'is' : 'are'} damaged in the backup and left out.`,
          ),
        ]
      : []),
    ...(done.modelsLeftOut ? ['The next start rebuilds its read models.'] : []),
  ]);
}
