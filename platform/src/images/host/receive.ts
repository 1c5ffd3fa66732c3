import type { IncomingMessage } from 'node:http';
import busboy from 'busboy';
import { type Refusal, refuse } from './refusal.js';

/** The largest picture that is taken, in bytes. */
export const LARGEST_FILE = 5 * 1024 * 1024;
/** Up to here a body that is too large is read to its end, so that a browser gets to see why. */
const LARGEST_BODY = 40 * 1024 * 1024;
/** How often an upload is looked at, in milliseconds: by then it must have moved on. */
const LOOK_EVERY_MS = 30_000;
/**
 * The slowest upload that goes on, in bytes a second. A phone at the edge of a 2G network sends five times as much
 * and has all the time it needs; who sends a byte now and then only holds a socket open.
 */
const SLOWEST_BYTES_PER_SECOND = 1_024;

export interface Upload {
  readonly ok: true;
  readonly bytes: Buffer;
  readonly fileName: string;
  /** The text fields. */
  readonly fields: ReadonlyMap<string, string>;
}

const malformed = refuse(400, 'Invalid multipart body', { hangUp: true });
const cutShort = refuse(400, 'The upload was cut off', { hangUp: true });
const endless = refuse(413, `File size too large. Maximum is ${LARGEST_FILE}.`, { hangUp: true });
const stalled = refuse(408, 'The upload was too slow', { hangUp: true });

/** Reads a multipart upload with its `file` part into memory. Never throws for what a client sends. */
export function receiveUpload(
  request: IncomingMessage,
  lookEveryMs: number = LOOK_EVERY_MS,
): Promise<Upload | Refusal> {
  if (Number(request.headers['content-length'] ?? 0) > LARGEST_BODY)
    return Promise.resolve(endless);
  const form = formOf(request);
  if (form === null) return Promise.resolve(refuse(400, 'Expected multipart/form-data'));
  // It went while something else was waited for.
  if (request.destroyed) return Promise.resolve(cutShort);

  return new Promise((resolve) => {
    const fields = new Map<string, string>();
    let file: { chunks: Buffer[]; fileName: string; isWhole: boolean } | null = null;
    let total = 0;
    let seen = 0;
    const looking = setInterval(look, lookEveryMs);

    function settle(result: Upload | Refusal): void {
      clearInterval(looking);
      request.unpipe(form ?? undefined);
      request.off('data', count);
      request.off('close', closed);
      request.resume();
      resolve(result);
    }
    function count(chunk: Buffer): void {
      total += chunk.length;
      if (total > LARGEST_BODY) settle(endless);
    }
    function look(): void {
      if (total - seen < (SLOWEST_BYTES_PER_SECOND * lookEveryMs) / 1_000) settle(stalled);
      seen = total;
    }
    const broken = () => settle(malformed);
    // A request that was read to its end closes too, often before the form has been taken apart.
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
      stream.on('data', (chunk: Buffer) => kept.chunks.push(chunk));
      stream.on('limit', () => {
        kept.isWhole = false;
        kept.chunks.length = 0;
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
      limits: { fileSize: LARGEST_FILE, files: 2, fields: 10, fieldSize: 1024, headerPairs: 50 },
    });
  } catch {
    return null;
  }
}
