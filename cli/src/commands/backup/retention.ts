import { DAY_MS } from '@oja/domain/rules';
import type { Answer } from '../../answers/index.js';
import { usageExit } from '../../terminal/exit.js';
import { sayNote } from '../../terminal/output.js';
import { withoutMilliseconds } from '../../terminal/times.js';
import {
  BEGUN,
  type Begun,
  begunOf,
  MANIFEST,
  type Manifest,
  manifestOf,
  storedBytes,
  storedName,
} from './manifest.js';
import type { Storage } from './storage.js';

/** One part of a backup, as found at a place. */
export type BackupPart = Omit<Answer<'backup list'>[number], 'erasedStillHeld'> &
  Pick<Manifest, 'headAfter'>;

const isWhole = (manifest: Manifest, there: ReadonlyMap<string, number>): boolean =>
  manifest.files.every((file) => there.get(storedName(manifest, file)) === storedBytes(file));

async function readBegun(storage: Storage, name: string): Promise<Begun | null> {
  const text = await storage.text(name, BEGUN);
  return text === null ? null : begunOf(text);
}

async function readBackupPart(storage: Storage, name: string): Promise<BackupPart | null> {
  const text = await storage.text(name, MANIFEST);
  const manifest = text === null ? null : manifestOf(text);
  const about = manifest ?? (await readBegun(storage, name));
  if (about === null) return null;
  const { part, id, at, logId } = about;
  const there = await storage.files(name);
  const bytes = [...there.values()].reduce((sum, each) => sum + each, 0);
  return {
    name,
    part,
    id,
    at,
    logId,
    bytes,
    head: manifest?.head ?? null,
    headAfter: manifest?.headAfter,
    files: manifest?.files.length ?? 0,
    encrypted: manifest?.encryption !== undefined,
    whole: manifest !== null && isWhole(manifest, there),
  };
}

/** The parts of backups in a storage, of any market, the newest first; anything else there is ignored. */
export async function backupsIn(storage: Storage): Promise<readonly BackupPart[]> {
  const found: BackupPart[] = [];
  for (const name of await storage.names()) {
    const one = await readBackupPart(storage, name);
    if (one !== null) found.push(one);
  }
  return found.sort((a, b) => Date.parse(b.at) - Date.parse(a.at) || b.name.localeCompare(a.name));
}

const isAhead = ({ at }: BackupPart, now: number): boolean => Date.parse(at) > now;

/** Which backups stay; at least one of the two is given. */
export interface Retention {
  /** How many of the newest. */
  readonly keep?: number | undefined;
  /** How many days back. */
  readonly keepDays?: number | undefined;
}

/** What a retention keeps of one market's backups. */
interface Retained {
  /** Those that are not dated ahead. */
  readonly past: readonly BackupPart[];
  readonly kept: readonly BackupPart[];
  /** Whether a part that cannot be restored is old enough to go: it may still be being written. */
  isOver(part: BackupPart): boolean;
}

/** `backups`: of one market, the newest first. Null when none is whole. */
function applyRetention(
  backups: readonly BackupPart[],
  { keep = 0, keepDays = 0 }: Retention,
  now: number,
): Retained | null {
  const past = backups.filter((backup) => !isAhead(backup, now));
  const isYoung = ({ at }: BackupPart) => now - Date.parse(at) < keepDays * DAY_MS;
  const kept = past
    .filter(({ whole }) => whole)
    .filter((backup, i) => i === 0 || i < keep || isYoung(backup));
  const oldest = kept.at(-1);
  if (oldest === undefined) return null;
  const before = Math.min(Date.parse(oldest.at), now - DAY_MS);
  return { past, kept, isOver: (part) => Date.parse(part.at) < before && !isYoung(part) };
}

/**
 * The backups of one market that the retention does not keep. `backups`: the newest first; `now`: in ms. The newest
 * whole one always stays. A backup that is not whole may still be being written, so it goes only when it is a day
 * old and older than all that are kept. When none is whole, none goes. One that is dated ahead, by a clock that was
 * wrong, neither goes nor counts before its day: otherwise it would take the place of the newest.
 */
export function expired(
  backups: readonly BackupPart[],
  retention: Retention,
  now: number,
): readonly BackupPart[] {
  const found = applyRetention(backups, retention, now);
  if (found === null) return [];
  const { past, kept, isOver } = found;
  return past.filter((backup) => (backup.whole ? !kept.includes(backup) : isOver(backup)));
}

/**
 * The keys of one market whose backup is not among `backups`, and that are a day old and older than all backups that
 * the retention keeps. Such keys are left where a backup was deleted while another place was named for its keys; but
 * they may also belong to a backup that lies elsewhere.
 */
export function orphanedKeys(
  keys: readonly BackupPart[],
  backups: readonly BackupPart[],
  retention: Retention,
  now: number,
): readonly BackupPart[] {
  const found = applyRetention(backups, retention, now);
  const paired = new Set(backups.map(({ id }) => id));
  return found === null ? [] : keys.filter((part) => !paired.has(part.id) && found.isOver(part));
}

export type Removed = Answer<'backup prune'>['removed'][number];
export type RemovedKeys = Answer<'backup prune'>['removedKeys'][number];

/** A backup to delete, with the names of its keys parts. */
interface BackupToDelete {
  readonly backup: Removed;
  readonly keyNames: readonly string[];
}

interface Places {
  readonly market: Storage;
  readonly keys: Storage;
}

/** What a retention does not keep, the oldest first. */
interface PrunePlan {
  readonly backups: readonly BackupToDelete[];
  /** They are deleted only where somebody asks for it. */
  readonly loneKeys: readonly RemovedKeys[];
}

/**
 * The backups of one market to delete, and its keys without a backup; a note names backups that are dated ahead.
 * @throws Exit 2 when no retention is given.
 */
export async function planPrune(
  { market, keys }: Places,
  logId: string,
  retention: Retention,
  now: number,
): Promise<PrunePlan> {
  if (retention.keep === undefined && retention.keepDays === undefined)
    throw usageExit('Say which backups to keep: --keep <n>, --keep-days <n>, or both.');
  const isOurs = (part: Manifest['part']) => (found: BackupPart) =>
    found.part === part && found.logId === logId;
  const found = (await backupsIn(market)).filter(isOurs('market'));
  for (const backup of found.filter((each) => isAhead(each, now)))
    sayNote(
      `${backup.name} is dated ahead (${withoutMilliseconds(backup.at)}): it stays until then and does not count. See whether the clock of this machine is right.`,
    );
  const keyParts = (await backupsIn(keys)).filter(isOurs('keys'));
  const backups = expired(found, retention, now).map(({ name, id, at, bytes }) => {
    const own = keyParts.filter((part) => part.id === id);
    const all = own.reduce((sum, part) => sum + part.bytes, bytes);
    return {
      backup: { name, at, bytes: all, withKeys: own.length > 0 },
      keyNames: own.map((part) => part.name),
    };
  });
  const lone = orphanedKeys(keyParts, found, retention, now);
  return {
    backups: backups.toReversed(),
    loneKeys: lone.map(({ name, at, bytes }) => ({ name, at, bytes })).toReversed(),
  };
}

/**
 * Deletes all of these. The keys of a backup go first: the market part is useless without them, and as long as it
 * exists the same command finds the backup again after a kill.
 */
export async function executePrune(
  { market, keys }: Places,
  { backups, loneKeys: lone }: PrunePlan,
  signal: AbortSignal,
): Promise<void> {
  for (const { backup, keyNames } of backups) {
    signal.throwIfAborted();
    for (const name of keyNames) await keys.remove(name);
    await market.remove(backup.name);
  }
  for (const { name } of lone) {
    signal.throwIfAborted();
    await keys.remove(name);
  }
}
