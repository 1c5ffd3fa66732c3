import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { limits } from '@oja/domain';
import {
  addressBlock,
  type Clock,
  type ConcurrencyLimiter,
  type JsonObject,
  type State,
  UPLOAD_PATH,
  UPLOAD_PRESET,
  VIEW_PATH,
} from '@oja/platform';
import busboy from 'busboy';
import type { Context, Middleware } from 'koa';
import {
  answerRefusal,
  type Picture,
  type PictureFiles,
  type Refusal,
  reencode,
  refuse,
} from './pictures.js';
import { countUpload, rememberUpload, uncountUpload } from './upload-records.js';

/** The largest accepted picture, in bytes. */
export const LARGEST_FILE = limits.imageBytes.max;
/** A body that is too large is still read up to this size in bytes, so that the browser receives the error. */
const LARGEST_BODY = 40 * 1024 * 1024;
/** How often an upload's progress is checked, in milliseconds. */
const SPEED_CHECK_MS = 30_000;
/**
 * The slowest upload that is accepted, in bytes per second. A phone at the edge of a 2G network sends five times as
 * much and has all the time it needs; a client that sends a byte now and then only holds a socket open.
 */
const SLOWEST_BYTES_PER_SECOND = 1_024;

interface Upload {
  readonly ok: true;
  readonly bytes: Buffer;
  readonly fileName: string;
  /** The form's text fields, by name. */
  readonly fields: ReadonlyMap<string, string>;
}

const malformedBody = refuse(400, 'Invalid multipart body', { hangUp: true });
const cutShort = refuse(400, 'The upload was cut off', { hangUp: true });
const tooLarge = refuse(413, `File size too large. Maximum is ${LARGEST_FILE}.`, { hangUp: true });
const tooSlow = refuse(408, 'The upload was too slow', { hangUp: true });
const tooManyUploads = refuse(429, 'Too many uploads at once', {
  retryAfterSeconds: 5,
  hangUp: true,
});

/** The memory that one upload takes of what all may have together. */
interface UploadBudget {
  /** Takes this many bytes more; false when there is no room for them. */
  take(bytes: number): boolean;
  /** Gives everything back. */
  release(): void;
}

/** Reads a multipart upload with its `file` part into memory. Never throws because of what a client sends. */
function receiveUpload(
  request: IncomingMessage,
  budget: UploadBudget,
  checkEveryMs: number,
): Promise<Upload | Refusal> {
  if (Number(request.headers['content-length'] ?? 0) > LARGEST_BODY)
    return Promise.resolve(tooLarge);
  const form = formOf(request);
  if (form === null) return Promise.resolve(refuse(400, 'Expected multipart/form-data'));
  // The client disconnected while the upload limit was being checked.
  if (request.destroyed) return Promise.resolve(cutShort);

  return new Promise((resolve) => {
    const fields = new Map<string, string>();
    let file: { chunks: Buffer[]; fileName: string; isWhole: boolean } | null = null;
    let total = 0;
    let seen = 0;
    const checking = setInterval(check, checkEveryMs);

    function settle(result: Upload | Refusal): void {
      clearInterval(checking);
      request.unpipe(form ?? undefined);
      request.off('data', count);
      request.off('close', closed);
      request.resume();
      resolve(result);
    }
    function count(chunk: Buffer): void {
      total += chunk.length;
      if (total > LARGEST_BODY) settle(tooLarge);
    }
    function check(): void {
      if (total - seen < (SLOWEST_BYTES_PER_SECOND * checkEveryMs) / 1_000) settle(tooSlow);
      seen = total;
    }
    const broken = () => settle(malformedBody);
    // `close` also fires for a request that was read completely, often before the form has been parsed.
    const closed = () => {
      if (!request.readableEnded) settle(cutShort);
    };

    form.on('field', (name, value) => fields.set(name, value));
    form.on('file', (name, stream, { filename = 'file' }) => {
      stream.on('error', broken);
      if (name !== 'file' || file !== null) {
        stream.resume();
        return;
      }
      const kept = { chunks: [] as Buffer[], fileName: filename, isWhole: true };
      file = kept;
      stream.on('data', (chunk: Buffer) => {
        if (!kept.isWhole) return;
        if (budget.take(chunk.length)) kept.chunks.push(chunk);
        else settle(tooManyUploads);
      });
      stream.on('limit', () => {
        kept.isWhole = false;
        kept.chunks.length = 0;
        // The rest is still read, which may take hours: others must not wait for room meanwhile.
        budget.release();
      });
    });
    form.on('error', broken);
    form.on('close', () => settle(uploadOf(file, fields)));
    request.on('data', count);
    request.on('close', closed);
    request.pipe(form);
  });
}

function uploadOf(
  file: { chunks: Buffer[]; fileName: string; isWhole: boolean } | null,
  fields: ReadonlyMap<string, string>,
): Upload | Refusal {
  if (file === null) return refuse(400, 'Missing required parameter - file');
  if (!file.isWhole) return refuse(400, `File size too large. Maximum is ${LARGEST_FILE}.`);
  return { ok: true, bytes: Buffer.concat(file.chunks), fileName: file.fileName, fields };
}

function formOf(request: IncomingMessage): busboy.Busboy | null {
  if (!/^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')) return null;
  try {
    return busboy({
      headers: request.headers,
      // A file that reaches its limit counts as too large.
      limits: {
        fileSize: LARGEST_FILE + 1,
        files: 2,
        fields: 10,
        fieldSize: 1024,
        headerPairs: 50,
      },
    });
  } catch {
    return null;
  }
}

/** Cloudinary's answer to an upload, for a picture on Oja's own host. `now` in epoch milliseconds. */
function uploadAnswer(
  picture: Picture,
  name: string,
  fileName: string,
  address: string,
  now: number,
): JsonObject {
  return {
    public_id: name.slice(0, name.lastIndexOf('.')),
    version: Math.floor(now / 1000),
    width: picture.width,
    height: picture.height,
    format: picture.extension,
    resource_type: 'image',
    created_at: new Date(now).toISOString(),
    tags: [],
    bytes: picture.bytes.length,
    type: 'upload',
    etag: createHash('md5').update(picture.bytes).digest('hex'),
    placeholder: false,
    url: address,
    secure_url: address,
    original_filename: fileName.replace(/\.[^.]*$/, ''),
  };
}

/** Limits on uploads: those of one address per hour, and all that are under way. */
type UploadLimit = 'pictures' | 'pictures-at-once';

export interface UploadOptions {
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
  /** How often an upload's progress is checked, in milliseconds; default 30 s. */
  readonly checkEveryMs?: number;
  /** Bytes that uploads may hold in memory together; default 160 MB. */
  readonly mostBytesHeld?: number;
  /** Bytes of these that uploads from one client address may hold together; default a quarter of 160 MB. */
  readonly mostBytesOfAddress?: number;
}

/** How many pictures may wait to be re-encoded. */
const MAX_WAITING = 32;
/** Bytes of uploads in memory, of those that are being received too. */
const MOST_BYTES_HELD = MAX_WAITING * LARGEST_FILE;
/** Of these, what the uploads of one address may take: it could hold them for hours by sending slowly. */
const MOST_BYTES_OF_ADDRESS = MOST_BYTES_HELD / 4;

/** Shares `most` bytes among uploads. The uploads of one address block have at most `mostOfBlock` of them. */
function createUploadBudgets(most: number, mostOfBlock: number): (address: string) => UploadBudget {
  const ofBlocks = new Map<string, number>();
  let held = 0;
  return (address) => {
    const block = addressBlock(address);
    const ofBlock = () => ofBlocks.get(block) ?? 0;
    let own = 0;
    return {
      take(bytes) {
        if (held + bytes > most || ofBlock() + bytes > mostOfBlock) return false;
        held += bytes;
        own += bytes;
        ofBlocks.set(block, ofBlock() + bytes);
        return true;
      },
      release() {
        held -= own;
        const left = ofBlock() - own;
        if (left > 0) ofBlocks.set(block, left);
        else ofBlocks.delete(block);
        own = 0;
      },
    };
  };
}

/** `POST /v1_1/oja/image/upload`. It reads the body itself: mount it before any body parser. */
export function createUpload(
  {
    state,
    publicUrl,
    clock,
    uploadsPerHour,
    addressOf = (ctx) => ctx.ip,
    limited = () => {},
    checkEveryMs = SPEED_CHECK_MS,
    mostBytesHeld = MOST_BYTES_HELD,
    mostBytesOfAddress = MOST_BYTES_OF_ADDRESS,
  }: UploadOptions,
  files: PictureFiles,
  gate: ConcurrencyLimiter,
): Middleware {
  const budgetOf = createUploadBudgets(mostBytesHeld, mostBytesOfAddress);

  async function refuseBeforeReading(ctx: Context): Promise<Refusal | null> {
    const address = addressOf(ctx);
    if (gate.waiting >= MAX_WAITING) return { ...tooManyUploads, hangUp: false };
    if (uploadsPerHour === null) return null;
    const wait = await countUpload(state, address, uploadsPerHour, clock.now());
    if (wait === 0) return null;
    limited('pictures', address);
    return refuse(429, 'Too many uploads from this address', { retryAfterSeconds: wait });
  }

  async function storeUpload(upload: Upload): Promise<JsonObject | Refusal> {
    const preset = upload.fields.get('upload_preset') ?? '';
    if (preset === '') {
      return refuse(400, 'Upload preset must be specified when using unsigned upload');
    }
    if (preset !== UPLOAD_PRESET) return refuse(400, 'Upload preset not found');
    const picture = await gate.run(() => reencode(upload.bytes));
    if (!picture.ok) return picture;
    const name = `${randomBytes(16).toString('hex')}.${picture.extension}`;
    const now = clock.now();
    await rememberUpload(state, name, now);
    await files.write(files.original(name), picture.bytes);
    return uploadAnswer(picture, name, upload.fileName, `${publicUrl}${VIEW_PATH}${name}`, now);
  }

  async function receiveAndTakeIn(ctx: Context): Promise<JsonObject | Refusal> {
    const budget = budgetOf(addressOf(ctx));
    try {
      const upload = await receiveUpload(ctx.req, budget, checkEveryMs);
      // A phone is cut off often, and sends the picture again.
      if ((upload === cutShort || upload === tooManyUploads) && uploadsPerHour !== null)
        await uncountUpload(state, addressOf(ctx), clock.now());
      return upload.ok ? await storeUpload(upload) : upload;
    } finally {
      budget.release();
    }
  }

  return async (ctx, next) => {
    if (ctx.method !== 'POST' || ctx.path !== UPLOAD_PATH) return next();
    const answer = (await refuseBeforeReading(ctx)) ?? (await receiveAndTakeIn(ctx));
    if (isRefusal(answer)) {
      if (answer.message === tooManyUploads.message) limited('pictures-at-once', addressOf(ctx));
      return answerRefusal(ctx, answer);
    }
    ctx.set('cache-control', 'no-store');
    ctx.body = answer;
  };
}

const isRefusal = (answer: JsonObject | Refusal): answer is Refusal => answer.ok === false;
