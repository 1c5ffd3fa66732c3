import { randomBytes } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import type { Clock } from '../../clock/clock.js';
import type { JsonObject } from '../../eventstore/port.js';
import type { State } from '../../state/port.js';
import { UPLOAD_PATH, UPLOAD_PRESET, VIEW_PATH } from '../names.js';
import type { PictureFiles } from './files.js';
import type { Gate } from './gate.js';
import { countUpload } from './hourly.js';
import { redraw } from './picture.js';
import { receiveUpload, type Upload } from './receive.js';
import { answerRefusal, type Refusal, refuse } from './refusal.js';
import { rememberUpload } from './unused.js';
import { uploadAnswer } from './upload-answer.js';

export interface UploadOptions {
  readonly state: State;
  readonly files: PictureFiles;
  readonly gate: Gate;
  readonly publicUrl: string;
  readonly clock: Clock;
  /** Null: as many as one likes. */
  readonly uploadsPerHour: number | null;
  readonly addressOf: (ctx: Context) => string;
  readonly lookEveryMs: number | undefined;
}

/** So many pictures may wait to be drawn anew; each holds up to 5 MB. */
const LONGEST_LINE = 32;

/** `POST /v1_1/oja/image/upload`. It reads the body itself: mount it before any body parser. */
export function createUpload(options: UploadOptions): Middleware {
  const { state, files, gate, publicUrl, clock } = options;

  async function refusedUnread(ctx: Context): Promise<Refusal | null> {
    if (gate.waiting >= LONGEST_LINE) {
      return refuse(429, 'Too many uploads at once', { retryAfterSeconds: 5 });
    }
    if (options.uploadsPerHour === null) return null;
    const address = options.addressOf(ctx);
    const wait = await countUpload(state, address, options.uploadsPerHour, clock.now());
    return wait === 0
      ? null
      : refuse(429, 'Too many uploads from this address', { retryAfterSeconds: wait });
  }

  async function takeIn(upload: Upload): Promise<JsonObject | Refusal> {
    const preset = upload.fields.get('upload_preset') ?? '';
    if (preset === '') {
      return refuse(400, 'Upload preset must be specified when using unsigned upload');
    }
    if (preset !== UPLOAD_PRESET) return refuse(400, 'Upload preset not found');
    const picture = await gate.run(() => redraw(upload.bytes));
    if (!picture.ok) return picture;
    const name = `${randomBytes(16).toString('hex')}.${picture.extension}`;
    const now = clock.now();
    await rememberUpload(state, name, now);
    await files.write(files.original(name), picture.bytes);
    return uploadAnswer(picture, name, upload.fileName, `${publicUrl}${VIEW_PATH}${name}`, now);
  }

  return async (ctx, next) => {
    if (ctx.method !== 'POST' || ctx.path !== UPLOAD_PATH) return next();
    const unread = await refusedUnread(ctx);
    if (unread !== null) return answerRefusal(ctx, unread);
    const upload = await receiveUpload(ctx.req, options.lookEveryMs);
    if (!upload.ok) return answerRefusal(ctx, upload);
    const answer = await takeIn(upload);
    if (isRefusal(answer)) return answerRefusal(ctx, answer);
    ctx.set('cache-control', 'no-store');
    ctx.body = answer;
  };
}

const isRefusal = (answer: JsonObject | Refusal): answer is Refusal => answer.ok === false;
