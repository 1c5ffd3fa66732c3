import { ConcurrencyLimiter } from '@oja/platform';
import type { Middleware } from 'koa';
import { createPictureFiles, createPictures, createView, type DrawMissing } from './pictures.js';
import { createUpload, type UploadOptions } from './upload.js';
import { sweepUnused } from './upload-records.js';

export interface ImageHostOptions extends UploadOptions {
  /** Folder for the pictures; created when the first picture is stored. */
  readonly dir: string;
  /** Draws sample pictures on first view. */
  readonly drawMissing?: DrawMissing;
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
  const files = createPictureFiles(options.dir);
  // Views have a gate of their own: a few visitors on a page of new pictures must not keep sellers from uploading.
  const pictures = createPictures(files, new ConcurrencyLimiter(AT_ONCE), options.drawMissing);
  return {
    upload: createUpload(options, files, new ConcurrencyLimiter(AT_ONCE)),
    view: createView(files, pictures),
    sweep: (now, isUsed) => sweepUnused(options.state, now, isUsed, files.remove),
  };
}
