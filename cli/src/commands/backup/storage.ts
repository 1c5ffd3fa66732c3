import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { Exit, exitCodes } from '../../terminal/exit.js';

/** Where backups lie beside each other, each below a name of its own: a folder, or a prefix of a bucket. */
export interface Storage {
  /** As an operator types it. */
  readonly address: string;
  /** What may be a backup here: the names directly below it. */
  names(): Promise<readonly string[]>;
  /** The files below a name, by their paths in it, with their bytes. */
  files(name: string): Promise<ReadonlyMap<string, number>>;
  /** A small file; null where it is not there. */
  text(name: string, path: string): Promise<string | null>;
  read(name: string, path: string): Promise<Readable>;
  /** Whole or not at all when it resolves; `bytes`: how many will come. */
  write(
    name: string,
    path: string,
    content: Readable,
    bytes: number,
    signal: AbortSignal,
  ): Promise<void>;
  /** What is a backup's below a name, its manifest last: killed half-way it is known again, and is not whole. */
  remove(name: string): Promise<void>;
}

const S3 = 's3://';
export const isS3 = (address: string): boolean => address.startsWith(S3);

/** @throws Exit 2 where something else than a folder is there. */
export function refuseNoFolder(path: string): void {
  if (existsSync(path) && !statSync(path).isDirectory())
    throw new Exit(exitCodes.usage, `${path} is no folder: name another.`);
}

/** A backup's own address, apart: where it lies, and its name there. */
export interface Placed {
  readonly place: string;
  readonly name: string;
}

export const withoutEndSlash = (address: string): string => address.replace(/(?<=.)\/+$/, '');

/** @throws Exit 2 for an address of something that keeps no backups. */
export function refuseOthers(address: string): void {
  if (!isS3(address) && /^[a-z][a-z0-9+.-]*:\/\//i.test(address))
    throw new Exit(
      exitCodes.usage,
      `Backups go into folders and to s3://bucket/prefix, not to ${address}.`,
    );
}

/** @throws Exit 2 for an S3 address that names no backup in a place. */
export function placed(address: string): Placed {
  refuseOthers(address);
  if (!isS3(address)) return { place: dirname(resolve(address)), name: basename(resolve(address)) };
  const [, place, name] = /^(s3:\/\/[^/]+\/.+)\/([^/]+)$/.exec(withoutEndSlash(address)) ?? [];
  if (place === undefined || name === undefined)
    throw new Exit(
      exitCodes.usage,
      `${address} names no backup: oja backup list says which there are (s3://bucket/prefix/<name>).`,
    );
  return { place, name };
}

export const addressOf = ({ place, name }: Placed): string =>
  isS3(place) ? `${place}/${name}` : join(place, name);

/** Where the keys lie while nobody says otherwise. */
export const keysPlaceOf = (place: string): string =>
  isS3(place) ? `${withoutEndSlash(place)}-keys` : place;

/** Both parts of a backup, each with its own address. */
export interface Parts {
  readonly market: Placed;
  readonly keys: Placed;
}

/** A backup's own addresses, as a restore names them. */
export function partsAt(address: string, { keys }: { readonly keys?: string }): Parts {
  const market = placed(address);
  if (keys !== undefined) return { market, keys: placed(keys) };
  return {
    market,
    keys: isS3(address)
      ? { place: keysPlaceOf(market.place), name: market.name }
      : { place: market.place, name: `${market.name}-keys` },
  };
}
