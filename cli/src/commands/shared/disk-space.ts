import { existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { files, generationKey, openSql, type Sql, spareBytes } from '@oja/platform';
import { type Projection, pointerOf } from '@oja/projector';
import type { ReplayAnswer } from '../../answers/index.js';
import type { AppContext } from '../../runtime/context.js';
import { failedExit } from '../../terminal/exit.js';
import { formatMegabytes } from '../../terminal/output.js';

/** Pages go to the write-ahead log before they go to the file; at most this many bytes are in both. */
const WAL_BYTES = 64 * 1024 * 1024;

/** The bytes that another generation needs, and the bytes free in the folder where it would be built. */
export type DiskSpace = NonNullable<ReplayAnswer<'plan'>['room']>;

type DiskSpaceDeps = {
  readonly config: Pick<AppContext['config'], 'dataDir' | 'mongodbUrl'>;
  readonly engines: Pick<AppContext['engines'], 'documents'>;
};

/** Size of a file in bytes; 0 when it does not exist. */
export const fileBytes = (path: string): number =>
  statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Free bytes on the disk of a folder. */
export async function freeBytesIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** The bytes on disk that `bytes` of new documents take while they are written; `spare` ones are in the file already. */
export function bytesNeeded(bytes: number, spare: number): number {
  const grows = Math.max(0, bytes - spare);
  return grows + Math.min(grows, WAL_BYTES) + spareBytes;
}

const pragma = (sql: Sql, name: string) =>
  sql.get<Record<string, number>>(`PRAGMA ${name}`)?.[name] ?? 0;

const freePageBytes = (sql: Sql) => pragma(sql, 'freelist_count') * pragma(sql, 'page_size');

/** Bytes of free pages in the read models' file of a folder, which new documents take first. */
export function freePageBytesIn(folder: string): number {
  const file = join(folder, files.documents);
  if (!existsSync(file)) return 0;
  const sql = openSql(file, { readonly: true, synchronous: 'NORMAL' });
  try {
    return freePageBytes(sql);
  } finally {
    sql.close();
  }
}

interface Size {
  /** Bytes of the live generation. */
  readonly live: number;
  /** Bytes inside the file that new documents can take: free pages, and the remains of a killed build. */
  readonly spare: number;
}

/** Null when the read models are in MongoDB, whose disks cannot be seen from here, or do not exist yet. */
export async function sizeOf(
  { config, engines }: DiskSpaceDeps,
  projection: Projection,
): Promise<Size | null> {
  const file = join(config.dataDir, files.documents);
  if (config.mongodbUrl !== null || !existsSync(file)) return null;
  const pointer = await pointerOf(engines.documents, projection);
  const sql = openSql(file, { readonly: true, synchronous: 'NORMAL' });
  try {
    const bytesOf = (generation: number | null | undefined) => {
      if (generation === null || generation === undefined) return 0;
      const prefix = `${generationKey(projection, generation)}_`;
      const text = 'SELECT sum(pgsize) AS bytes FROM dbstat WHERE substr(name, 1, ?) = ?';
      return sql.get<{ bytes: number | null }>(text, [prefix.length, prefix])?.bytes ?? 0;
    };
    return { live: bytesOf(pointer?.live), spare: freePageBytes(sql) + bytesOf(pointer?.building) };
  } finally {
    sql.close();
  }
}

/**
 * The room that a copy of the live generation needs in a folder. In the market's own folder, free pages inside the
 * database file and the remains of a killed build are reused. Null as `sizeOf`.
 */
export async function diskSpaceFor(
  deps: DiskSpaceDeps,
  projection: Projection,
  folder: string,
): Promise<DiskSpace | null> {
  const size = await sizeOf(deps, projection);
  if (size === null) return null;
  const spare = folder === deps.config.dataDir ? size.spare : 0;
  return { folder, needed: bytesNeeded(size.live, spare), free: await freeBytesIn(folder) };
}

/** @throws Exit 1 when there is too little room. */
export function requireDiskSpace(room: DiskSpace | null, what: string, hint = ''): void {
  if (room === null || room.free >= room.needed) return;
  const { folder, needed, free } = room;
  throw failedExit(
    `${what} takes about ${formatMegabytes(needed)} in ${folder}, and ${formatMegabytes(free)} are free: make room first${hint}. Nothing was changed.`,
  );
}
