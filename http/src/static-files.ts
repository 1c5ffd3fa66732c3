import { readFile, stat } from 'node:fs/promises';
import { extname, join, relative, resolve, sep } from 'node:path';
import type { Middleware } from './types.js';

/** One year, in seconds: a file with a hash in its name never changes. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Larger files do not belong in the build of a web app. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;
/** Files under this path have a hash of their content in their names. */
const HASHED_PREFIX = '/assets/';

interface StaticOptions {
  readonly folder: string;
  /** The path of a file that is never served, however its address is spelled. */
  readonly except?: string;
}

/** The file for a path that is not yet URL-decoded; null for a path that leaves the folder or names a hidden file. */
export function fileOf(folder: string, path: string): string | null {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return null;
  }
  if (decoded.includes('\0') || decoded.split(/[/\\]/).some((part) => part.startsWith('.'))) {
    return null;
  }
  const root = resolve(folder);
  const file = resolve(join(root, decoded));
  return file.startsWith(root + sep) ? file : null;
}

/**
 * Serves the files of a folder. A missing file goes on to the next middleware, except under the hashed
 * prefix, where it ends as a 404: a page in place of a missing script would only confuse. Of a file with a
 * hash in its name, `<file>.br` beside it is sent to whoever takes Brotli: the build had time to make it small.
 */
export function staticFiles({ folder, except }: StaticOptions): Middleware {
  const unserved = except === undefined ? null : fileOf(folder, except);
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    const file = fileOf(folder, ctx.path);
    const hashed = ctx.path.startsWith(HASHED_PREFIX);
    if (file === null || file === unserved) return hashed ? undefined : next();
    const takesBrotli = hashed && ctx.acceptsEncodings('br', 'identity') === 'br';
    const compressed = takesBrotli ? await fileAt(`${file}.br`) : null;
    const sent = compressed ?? (await fileAt(file));
    if (sent === null) return hashed ? undefined : next();
    // The real file name, however the client spelled the path.
    ctx.state.route = hashed ? `${HASHED_PREFIX}*` : `/${relative(folder, file)}`;
    ctx.set('Cache-Control', hashed ? IMMUTABLE : 'no-cache');
    ctx.set('ETag', `W/"${sent.size.toString(36)}-${Math.floor(sent.mtimeMs).toString(36)}"`);
    ctx.lastModified = sent.mtime;
    ctx.type = extname(file);
    if (compressed !== null) ctx.set('Content-Encoding', 'br');
    ctx.body = await readFile(sent.path);
    return undefined;
  };
}

/** The file at a path; null when there is none that may be served. */
async function fileAt(path: string) {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile() || found.size > MAX_FILE_BYTES) return null;
  return { path, size: found.size, mtime: found.mtime, mtimeMs: found.mtimeMs };
}
