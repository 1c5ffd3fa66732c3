import { type Clock, ConcurrencyLimiter, type State } from '@oja/platform';
import type { Context, Middleware } from 'koa';
import { createPictureFiles, createPictures, createView, type DrawMissing } from './pictures.js';
import { createUpload, type UploadLimit } from './upload.js';
import { sweepUnused } from './upload-records.js';

export interface ImageHostOptions {
  /** Folder for the pictures; created when the first picture is stored. */
  readonly dir: string;
  readonly state: State;
  /** Base URL of the market as browsers reach it, without a trailing slash. */
  readonly publicUrl: string;
  readonly clock: Clock;
  /** Uploads allowed per client address and hour; null (demo) means no limit. */
  readonly uploadsPerHour: number | null;
  /** Client address of a request; default: Koa's `ctx.ip`. */
  readonly addressOf?: (ctx: Context) => string;
  /** Called for every upload that a limit refused, with the limit's name and the client address. */
  readonly limited?: (limit: UploadLimit, address: string) => void;
  /** Draws sample pictures on first view. */
  readonly drawMissing?: DrawMissing;
  /** How often an upload's progress is checked, in milliseconds; default 30 s. */
  readonly checkEveryMs?: number;
  /** Bytes that uploads may hold in memory together; default 160 MB. */
  readonly mostBytesHeld?: number;
  /** Bytes of these that uploads from one client address may hold together; default a quarter of 160 MB. */
  readonly mostBytesOfAddress?: number;
}

export interface ImageHost {
  /** `POST /v1_1/oja/image/upload`; passes other requests on. Mount it before any body parser. */
  readonly upload: Middleware;
  /** `GET /v1/image/{name}`; passes other requests on. */
  readonly view: Middleware;
  /**
   * Deletes uploads that are a day old and used by nothing, and returns how many. `now` is in epoch
   * milliseconds; `isUsed` is called once per name.
   */
  sweep(now: number, isUsed: (name: string) => Promise<boolean>): Promise<number>;
}

/** Uploads, and views, processed at the same time. Kept low so that they leave CPU time for other requests. */
const AT_ONCE = 2;

/** The image host that ships with Oja: Cloudinary's unsigned upload API over a local folder. */
export function createImageHost(options: ImageHostOptions): ImageHost {
  const { state, publicUrl, clock, uploadsPerHour, addressOf = (ctx) => ctx.ip } = options;
  const files = createPictureFiles(options.dir);
  // Views have a gate of their own: a few visitors on a page of new pictures must not keep sellers from uploading.
  const pictures = createPictures(files, new ConcurrencyLimiter(AT_ONCE), options.drawMissing);
  const { checkEveryMs, mostBytesHeld, mostBytesOfAddress, limited = () => {} } = options;
  return {
    upload: createUpload({
      state,
      files,
      gate: new ConcurrencyLimiter(AT_ONCE),
      publicUrl,
      clock,
      uploadsPerHour,
      addressOf,
      limited,
      checkEveryMs,
      mostBytesHeld,
      mostBytesOfAddress,
    }),
    view: createView(files, pictures),
    sweep: (now, isUsed) => sweepUnused(state, now, isUsed, files.remove),
  };
}
