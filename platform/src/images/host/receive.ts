import type { IncomingMessage } from 'node:http';
import busboy from 'busboy';
import { type Refusal, refuse } from './refusal.js';

/** The largest picture that is taken, in bytes. */
export const LARGEST_FILE = 5 * 1024 * 1024;
/** Up to here a body that is too large is read to its end, so that a browser gets to see why. */
const LARGEST_BODY = 40 * 1024 * 1024;
/** How long an upload may stand still, in milliseconds. A slow one that moves has all the time it needs. */
const IDLE_MS = 30_000;

export interface Upload {
  readonly ok: true;
  readonly bytes: Buffer;
  readonly fileName: string;
  /** The text fields. */
  readonly fields: ReadonlyMap<string, string>;
}

const malformed = refuse(400, 'Invalid multipart body', { hangUp: true });
const endless = refuse(413, `File size too large. Maximum is ${LARGEST_FILE}.`, { hangUp: true });
const stalled = refuse(408, 'The upload stood still for too long', { hangUp: true });

/** Reads a multipart upload with its `file` part into memory. Never throws for what a client sends. */
export function receiveUpload(
  request: IncomingMessage,
  idleMs: number = IDLE_MS,
): Promise<Upload | Refusal> {
  if (Number(request.headers['content-length'] ?? 0) > LARGEST_BODY)
    return Promise.resolve(endless);
  const form = formOf(request);
  if (form === null) return Promise.resolve(refuse(400, 'Expected multipart/form-data'));

  return new Promise((resolve) => {
    const fields = new Map<string, string>();
    let file: { chunks: Buffer[]; fileName: string; isWhole: boolean } | null = null;
    let total = 0;
    const idle = setTimeout(() => settle(stalled), idleMs);

    function settle(result: Upload | Refusal): void {
      clearTimeout(idle);
      request.unpipe(form ?? undefined);
      request.off('data', count);
      request.off('close', cutOff);
      request.resume();
      resolve(result);
    }
    function count(chunk: Buffer): void {
      idle.refresh();
      total += chunk.length;
      if (total > LARGEST_BODY) settle(endless);
    }
    const cutOff = () => settle(malformed);

    form.on('field', (name, value) => fields.set(name, value));
    form.on('file', (name, stream, { filename = 'file' }) => {
      stream.on('error', cutOff);
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
    form.on('error', cutOff);
    form.on('close', () => settle(uploadOf(file, fields)));
    request.on('data', count);
    request.on('close', cutOff);
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
