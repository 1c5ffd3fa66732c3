import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Middleware } from './types.js';

/** Under this many bytes the headers weigh more than what is saved. */
const MIN_BYTES = 1_024;
/** Brotli's 4 is about as quick as gzip and smaller. */
const BROTLI_QUALITY = 4;
/** A body compressed for an ETag is given again; of each kind this many are remembered. */
const REMEMBERED = 64;

const compressible = /^(text\/|application\/(json|javascript|xml|manifest\+json)|image\/svg\+xml)/;

const asGzip = promisify(gzip);
const asBrotli = promisify(brotliCompress);

const encoders = {
  br: (body: Buffer) =>
    asBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (body: Buffer) => asGzip(body),
};

/** Compresses text answers for clients that take it. A stream is left as it is. */
export function compression(): Middleware {
  const remembered = new Map<string, Buffer>();

  /** `tag` names the content, among all that its path has had. */
  async function encode(encoding: keyof typeof encoders, body: Buffer, path: string, tag: string) {
    const key = JSON.stringify([encoding, path, tag]);
    const known = tag ? remembered.get(key) : undefined;
    if (known !== undefined) return known;
    const encoded = await encoders[encoding](body);
    const [oldest] = remembered.keys();
    if (remembered.size >= REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    if (tag) remembered.set(key, encoded);
    return encoded;
  }

  return async (ctx, next) => {
    await next();
    const { body } = ctx;
    if (typeof body !== 'string' && !Buffer.isBuffer(body)) return;
    if (!compressible.test(ctx.response.type)) return;
    ctx.vary('Accept-Encoding');
    const bytes = Buffer.from(body);
    const already = Boolean(ctx.response.get('Content-Encoding'));
    if (bytes.length < MIN_BYTES || already || ctx.method === 'HEAD') return;
    const encoding = ctx.acceptsEncodings('br', 'gzip', 'identity');
    if (encoding !== 'br' && encoding !== 'gzip') return;
    ctx.body = await encode(encoding, bytes, ctx.path, ctx.response.get('ETag'));
    ctx.set('Content-Encoding', encoding);
  };
}
