import { type Clock, ConcurrencyLimiter, type State } from '@oja/platform';
import type { Context, Middleware } from 'koa';
import { createPictureFiles, createPictures, createView, type DrawMissing } from './pictures.js';
import { createUpload, type UploadLimit } from './upload.js';
import { sweepUnused } from './upload-records.js';

export interface ImageHostOptions {
  /** The folder for pictures; made when the first one is stored. */
  readonly dir: string;
  readonly state: State;
  /** Where browsers reach the market, without a slash at its end. */
  readonly publicUrl: string;
  readonly clock: Clock;
  /** A client address may send so many an hour; null (demo): no limit. */
  readonly uploadsPerHour: number | null;
  /** Whose request it is; default Koa's `ctx.ip`. */
  readonly addressOf?: (ctx: Context) => string;
  /** Told of every upload that was refused for coming too often, or with too many others, by the limit's name. */
  readonly limited?: (limit: UploadLimit, address: string) => void;
  /** Draws sample pictures on first view. */
  readonly drawMissing?: DrawMissing;
  /** How often an upload must have moved on, in milliseconds; default 30 s. */
  readonly lookEveryMs?: number;
}

export interface ImageHost {
  /** `POST /v1_1/oja/image/upload`; passes on any other call. Mount it before any body parser. */
  readonly upload: Middleware;
  /** `GET /v1/image/{name}`; passes on any other call. */
  readonly view: Middleware;
  /**
   * Removes uploads that are a day old and belong to nothing; answers how many. `now` in epoch
   * milliseconds; `isUsed` is asked once for each name.
   */
  sweep(now: number, isUsed: (name: string) => Promise<boolean>): Promise<number>;
}

/** Pictures worked on at once: one core stays free for everything else. */
const AT_ONCE = 2;

/** The host of pictures that Oja ships: Cloudinary's unsigned upload over a folder. */
export function createImageHost(options: ImageHostOptions): ImageHost {
  const { state, publicUrl, clock, uploadsPerHour, addressOf = (ctx) => ctx.ip } = options;
  const files = createPictureFiles(options.dir);
  const gate = new ConcurrencyLimiter(AT_ONCE);
  const pictures = createPictures(files, gate, options.drawMissing);
  const { lookEveryMs, limited = () => {} } = options;
  return {
    upload: createUpload({
      state,
      files,
      gate,
      publicUrl,
      clock,
      uploadsPerHour,
      addressOf,
      limited,
      lookEveryMs,
    }),
    view: createView(files, pictures),
    sweep: (now, isUsed) => sweepUnused(state, now, isUsed, files.remove),
  };
}
