import { createReadStream } from 'node:fs';
import type { Middleware } from 'koa';
import { nameInPath, VIEW_PATH, WIDTHS, type Width } from '../names.js';
import type { PictureFiles } from './files.js';
import type { Pictures } from './pictures.js';

const TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
};

/**
 * `GET /v1/image/{name}`, and `?w=` for a smaller one as WebP. A name never shows another picture, so
 * it may be kept for a year and its ETag is made of the name alone.
 */
export function createView(files: PictureFiles, pictures: Pictures): Middleware {
  return async (ctx, next) => {
    if (!['GET', 'HEAD'].includes(ctx.method) || !ctx.path.startsWith(VIEW_PATH)) return next();
    ctx.set('x-content-type-options', 'nosniff');
    const name = nameInPath(ctx.path);
    const width = widthOf(ctx.URL.searchParams.get('w'));
    const path = name === null || width === undefined ? null : await pictures.find(name, width);
    const size = path === null ? null : await files.size(path);
    if (name === null || width === undefined || path === null || size === null) {
      ctx.status = width === undefined ? 400 : 404;
      ctx.set('cache-control', 'no-store');
      const message = width === undefined ? `w is one of ${WIDTHS.join(', ')}` : 'No such picture';
      ctx.body = { success: false, message };
      return;
    }
    ctx.status = 200;
    ctx.set('cache-control', 'public, max-age=31536000, immutable');
    ctx.set('content-security-policy', "default-src 'none'");
    ctx.etag = `${name}-${width ?? 'original'}`;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.type = (width === null ? TYPES[name.slice(name.lastIndexOf('.') + 1)] : TYPES.webp) ?? '';
    ctx.length = size;
    if (ctx.method === 'GET') ctx.body = createReadStream(path);
  };
}

/** Null: the original. Undefined: a width that is not offered. */
function widthOf(text: string | null): Width | null | undefined {
  return text === null ? null : WIDTHS.find((width) => String(width) === text);
}
