import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { allOf } from '@oja/platform';
import type { AppContext } from '../../runtime/context.js';
import { usageExit } from '../../terminal/exit.js';
import { Interrupted } from '../../terminal/interrupt.js';
import { withByteProgress } from '../../terminal/progress.js';
import { type BackedUp, backUp } from './backup.js';
import {
  BEGUN,
  bytesOf,
  bytesOfMarket,
  type FileEntry,
  MANIFEST,
  type Manifest,
  manifestOf,
  storedBytes,
  textOf,
} from './manifest.js';
import { storageAt } from './open-storage.js';
import { withStaging } from './staging.js';
import { type BackupAddress, formatAddress, type Parts, type Storage } from './storage.js';

/** Files that are sent at the same time: a market has many small pictures. */
const FILES_AT_ONCE = 3;

/** One part of a backup to send: the local folder it is in, and where it goes. */
interface Outgoing {
  readonly storage: Storage;
  readonly name: string;
  readonly folder: string;
  readonly manifest: Manifest;
}

const readManifest = (folder: string): Manifest => {
  const manifest = manifestOf(readFileSync(join(folder, MANIFEST), 'utf8'));
  if (manifest === null) throw new Error(`${folder} holds no manifest that was just written`);
  return manifest;
};

/** The storage for a new backup. @throws Exit 2 when its name is taken; 78 or 1 when the place is not accessible. */
async function openUnusedStorage({ place, name }: BackupAddress): Promise<Storage> {
  const storage = await storageAt(place);
  if ((await storage.names()).includes(name) && (await storage.files(name)).size > 0)
    throw usageExit(
      `${formatAddress({ place, name })} holds something already: name another place.`,
    );
  return storage;
}

async function sendText(
  { storage, name }: Outgoing,
  path: string,
  text: string,
  signal: AbortSignal,
): Promise<void> {
  await storage.write(name, path, Readable.from([Buffer.from(text)]), text.length, signal);
}

/** Encrypts and sends every file. Returns the manifest's entries with their stored sizes. */
async function sendFiles(
  { storage, name, folder, manifest }: Outgoing,
  recipients: readonly string[],
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<readonly FileEntry[]> {
  const { encryptStream } = await import('./encryption.js');
  const waiting = manifest.files.values();
  const stored = new Map<string, number>();
  let broken = false;
  const send = async () => {
    for (const file of waiting) {
      if (broken) return;
      const plain = createReadStream(join(folder, file.name));
      plain.on('data', (part) => onSent(part.length));
      const { content, bytes } = await encryptStream(plain, file.bytes, recipients);
      await storage.write(name, `${file.name}.age`, content, bytes, signal);
      stored.set(file.name, bytes);
    }
  };
  await allOf(
    Array.from({ length: FILES_AT_ONCE }, () =>
      send().catch((error: unknown) => {
        broken = true;
        throw error;
      }),
    ),
  );
  return manifest.files.map((file) => ({ ...file, stored: stored.get(file.name) ?? 0 }));
}

/**
 * Sends the parts in order, and each part's manifest after all the files that it names. The mark of the last one, the
 * market's, comes first: a prune finds a backup, and its keys, by the part of the market.
 */
async function sendParts(
  parts: readonly Outgoing[],
  recipients: readonly string[],
  signal: AbortSignal,
): Promise<readonly FileEntry[]> {
  const total = bytesOf(parts.map(({ manifest }) => manifest));
  for (const part of parts.toReversed()) {
    const { part: kind, id, at, logId } = part.manifest;
    const begun = textOf({ kind: 'oja-backup-begun', part: kind, id, at, logId });
    await sendText(part, BEGUN, begun, signal);
  }
  return withByteProgress('Sending', async (onProgress) => {
    let done = 0;
    const onSent = (bytes: number) => {
      done += bytes;
      onProgress(done, total);
    };
    const all: FileEntry[] = [];
    for (const part of parts) {
      const files = await sendFiles(part, recipients, signal, onSent);
      const manifest: Manifest = { ...part.manifest, encryption: 'age', files: [...files] };
      await sendText(part, MANIFEST, textOf(manifest), signal);
      all.push(...files);
    }
    return all;
  });
}

/**
 * Deletes what was sent, in the same order: the keys first. Where that fails the part of the market stays, so that a
 * later prune finds both. Returns whether all of it is deleted.
 */
async function deleteSent(parts: readonly Outgoing[]): Promise<boolean> {
  try {
    for (const { storage, name } of parts) await storage.remove(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * Copies a market's files into a temporary folder in its data folder, and sends them from there, encrypted: the keys
 * first. After a failure the sent files are deleted again, as far as the place can be reached.
 * @throws Exit when a place is taken or not accessible, or there is no room for the copy; Interrupted.
 */
export async function sendBackup(
  context: AppContext,
  { market, keys }: Parts,
  recipients: readonly string[],
  signal: AbortSignal,
): Promise<BackedUp> {
  const marketStorage = await openUnusedStorage(market);
  const keysStorage = await openUnusedStorage(keys);
  const { dataDir } = context.config;
  return withStaging(dataDir, bytesOfMarket(dataDir), async (staging) => {
    const [folder, keysFolder] = [join(staging, 'market'), join(staging, 'keys')];
    const { head } = await withByteProgress('Copying', (at) =>
      backUp(context, folder, keysFolder, signal, at),
    );
    const parts = [
      { storage: keysStorage, name: keys.name, folder: keysFolder },
      { storage: marketStorage, name: market.name, folder },
    ].map((part) => ({ ...part, manifest: readManifest(part.folder) }));
    try {
      const files = await sendParts(parts, recipients, signal);
      return {
        folder: formatAddress(market),
        keysFolder: formatAddress(keys),
        head,
        files: files.length,
        bytes: files.reduce((sum, file) => sum + storedBytes(file), 0),
      };
    } catch (error) {
      const isDeleted = await deleteSent(parts);
      if (error instanceof Interrupted)
        throw new Interrupted(
          isDeleted
            ? 'Stopped; what was sent is deleted.'
            : 'Stopped; what was sent could not be deleted: a later prune deletes it.',
        );
      throw error;
    }
  });
}
