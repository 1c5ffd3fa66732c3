import { readFile, stat } from 'node:fs/promises';
import { extname, join, relative, resolve, sep } from 'node:path';
import type { Middleware } from './types.js';

/** A year, in seconds: what has a hash in its name never changes. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Larger ones do not belong in a web app's build. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

interface StaticOptions {
  readonly folder: string;
  /** Paths under it carry a hash of their content. Default `/assets/`. */
  readonly hashedPrefix?: string;
}

/** The file of an undecoded path; null for one that leaves the folder or names what is hidden. */
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
 * Serves the files of a folder. One that is not there goes on to the next middleware, except under the
 * hashed prefix: a page in place of a script that is gone would only confuse.
 */
export function staticFiles({ folder, hashedPrefix = '/assets/' }: StaticOptions): Middleware {
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    const file = fileOf(folder, ctx.path);
    const found = file === null ? null : await stat(file).catch(() => null);
    const hashed = ctx.path.startsWith(hashedPrefix);
    if (file === null || !found?.isFile() || found.size > MAX_FILE_BYTES) {
      return hashed ? undefined : next();
    }
    // However it was spelled.
    ctx.state.route = hashed ? `${hashedPrefix}*` : `/${relative(folder, file)}`;
    ctx.set('Cache-Control', hashed ? IMMUTABLE : 'no-cache');
    ctx.set('ETag', `W/"${found.size.toString(36)}-${Math.floor(found.mtimeMs).toString(36)}"`);
    ctx.lastModified = found.mtime;
    ctx.type = extname(file);
    ctx.body = await readFile(file);
    return undefined;
  };
}
