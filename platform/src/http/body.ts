import type { IncomingMessage } from 'node:http';
import type { Failed } from './failure.js';

/** The longest body of any call but an upload, in bytes. */
export const MAX_BODY_BYTES = 64 * 1024;
/** How much of a body that is too long we listen to, so that the client gets to read why. */
const MAX_DISCARDED_BYTES = 4 * 1024 * 1024;
/** How long a client may take to send its body, in milliseconds. */
const BODY_TIMEOUT_MS = 120_000;
const MAX_DEPTH = 32;

export type BodyResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failed: Failed };

const refused = (status: number, message: string, close = false): BodyResult<never> => ({
  ok: false,
  failed: { status, message, ...(close ? { headers: { Connection: 'close' } } : {}) },
});

const tooLong = () =>
  refused(413, `The request is too large: at most ${MAX_BODY_BYTES / 1024} KB are accepted`, true);

/** All bytes of a body that has no content encoding, at most 64 KiB of them. */
export function readBytes(request: IncomingMessage): Promise<BodyResult<Buffer>> {
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    return Promise.resolve(refused(415, 'Send the body as it is, without Content-Encoding'));
  }
  if (Number(request.headers['content-length'] ?? 0) > MAX_DISCARDED_BYTES) {
    return Promise.resolve(tooLong());
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const done = (result: BodyResult<Buffer>) => {
      clearTimeout(timer);
      request.off('data', take);
      resolve(result);
    };
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MAX_BODY_BYTES) chunks.push(chunk);
      else if (length > MAX_DISCARDED_BYTES) done(tooLong());
    };
    const timer = setTimeout(
      () => done(refused(408, 'The request took too long to arrive', true)),
      BODY_TIMEOUT_MS,
    );
    request.on('data', take);
    request.once('end', () =>
      done(
        length > MAX_BODY_BYTES ? tooLong() : { ok: true, value: Buffer.concat(chunks, length) },
      ),
    );
    request.once('error', () => done(refused(400, 'The request was cut off', true)));
    request.once('aborted', () => done(refused(400, 'The request was cut off', true)));
  });
}

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** What makes a value unsafe to hand on, or null. */
function objection(value: unknown, depth = 0): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if (depth > MAX_DEPTH) return 'The body is nested too deeply';
  for (const [key, entry] of Object.entries(value)) {
    if (FORBIDDEN_KEYS.has(key)) return `The body has a field ${key}, which is not accepted`;
    const inner = objection(entry, depth + 1);
    if (inner !== null) return inner;
  }
  return null;
}

const isJson = (contentType: string): boolean =>
  /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(contentType.trim());

/** The JSON of a body; an empty one is `undefined` and needs no content type. */
export function parseJson(bytes: Buffer, contentType: string | undefined): BodyResult<unknown> {
  if (bytes.length === 0) return { ok: true, value: undefined };
  if (!isJson(contentType ?? '')) {
    return refused(415, 'Send the body as JSON, with Content-Type: application/json');
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    const message = objection(value);
    return message === null ? { ok: true, value } : refused(400, message);
  } catch {
    return refused(400, 'The body is not valid JSON');
  }
}
