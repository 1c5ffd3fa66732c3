import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { usageExit } from '../../terminal/exit.js';

/** A place that holds backups, each below a name of its own: a folder, or a prefix of a bucket. */
export interface Storage {
  /** The address as an operator types it. */
  readonly address: string;
  /** The names directly below the place; each may be a backup. */
  names(): Promise<readonly string[]>;
  /** The sizes in bytes of the files below a name, by their paths relative to it. */
  files(name: string): Promise<ReadonlyMap<string, number>>;
  /** The text of a small file; null when it does not exist. */
  text(name: string, path: string): Promise<string | null>;
  /** Null when it does not exist. */
  read(name: string, path: string): Promise<Readable | null>;
  /** The file is complete when this resolves. `bytes`: the length of the content. */
  write(
    name: string,
    path: string,
    content: Readable,
    bytes: number,
    signal: AbortSignal,
  ): Promise<void>;
  /** Deletes a backup's files, the manifest last: after a kill the rest is still recognized, as not whole. */
  remove(name: string): Promise<void>;
}

const S3 = 's3://';
export const isS3 = (address: string): boolean => address.startsWith(S3);

/** @throws Exit 2 when the path exists and is not a folder. */
export function refuseNoFolder(path: string): void {
  if (existsSync(path) && !statSync(path).isDirectory())
    throw usageExit(`${path} is not a folder: name another.`);
}

/** A backup's address in two parts: the place, and its name there. */
export interface BackupAddress {
  readonly place: string;
  readonly name: string;
}

export const withoutEndSlash = (address: string): string => address.replace(/(?<=.)\/+$/, '');

/** @throws Exit 2 for a URL that is not an S3 address. */
export function refuseOtherSchemes(address: string): void {
  if (!isS3(address) && /^[a-z][a-z0-9+.-]*:\/\//i.test(address))
    throw usageExit(`Backups go into folders and to s3://bucket/prefix, not to ${address}.`);
}

/** Splits the address of a backup. @throws Exit 2 for an S3 address without a name below a prefix. */
function parseAddress(address: string): BackupAddress {
  refuseOtherSchemes(address);
  if (!isS3(address)) return { place: dirname(resolve(address)), name: basename(resolve(address)) };
  const [, place, name] = /^(s3:\/\/[^/]+\/.+)\/([^/]+)$/.exec(withoutEndSlash(address)) ?? [];
  if (place === undefined || name === undefined)
    throw usageExit(
      `${address} does not name a backup: oja backup list shows them (s3://bucket/prefix/<name>).`,
    );
  return { place, name };
}

export const formatAddress = ({ place, name }: BackupAddress): string =>
  isS3(place) ? `${place}/${name}` : join(place, name);

/** Where the keys of the backups at a place lie by default. */
export const keysPlaceFor = (place: string): string =>
  isS3(place) ? `${withoutEndSlash(place)}-keys` : place;

/** The addresses of both parts of a backup. */
export interface Parts {
  readonly market: BackupAddress;
  readonly keys: BackupAddress;
}

/** The parts of the backup at an address; `keys` overrides the default address of the keys. */
export function partAddresses(address: string, { keys }: { readonly keys?: string }): Parts {
  const market = parseAddress(address);
  if (keys !== undefined) return { market, keys: parseAddress(keys) };
  return {
    market,
    keys: isS3(address)
      ? { place: keysPlaceFor(market.place), name: market.name }
      : { place: market.place, name: `${market.name}-keys` },
  };
}
