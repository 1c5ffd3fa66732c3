import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
} from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { IDEMPOTENCY_HEADER } from '@oja/contracts/wire';
import type { Clock, State, StateEntry } from '@oja/platform';
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import type { Failure, StoredAnswer } from './answer.js';

/** Any visible ASCII characters. Our own pages send four random numbers, with commas between them. */
const ACCEPTABLE_KEY = /^[\x21-\x7e]{1,200}$/;

type KeyResult =
  | { readonly ok: true; readonly key: string | null }
  | { readonly ok: false; readonly failed: Failure };

/** Checks an Idempotency-Key header. The key is null when the header is empty; an invalid key fails with 400. */
export function readIdempotencyKey(header: string): KeyResult {
  if (header === '') return { ok: true, key: null };
  if (ACCEPTABLE_KEY.test(header)) return { ok: true, key: header };
  const message = `${IDEMPOTENCY_HEADER} must be 1 to 200 visible characters`;
  return { ok: false, failed: { status: 400, message } };
}

/** The namespace of command ids, generated once. It must never change. */
const NAMESPACE = '6f1c0a52-7d0e-4c83-9b7c-2f5b7a0d9e41';

interface CommandIdentity {
  /** The caller, as `seller:<id>`, or 'anyone'. */
  readonly actor: string;
  readonly method: string;
  /** The path of the request line, query included. */
  readonly path: string;
  /** The Idempotency-Key; null when the client sent none. */
  readonly key: string | null;
}

/**
 * The id (UUID) of the command that a request makes. A request repeated with the same key gets the same
 * id; without a key, every request gets a new one.
 */
export function commandIdOf({ actor, method, path, key }: CommandIdentity): string {
  return key === null ? uuidv7() : uuidv5(JSON.stringify([actor, method, path, key]), NAMESPACE);
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const kept = z.object({
  status: z.number(),
  json: z.string(),
  headers: z.record(z.string(), z.string()),
}) satisfies z.ZodType<StoredAnswer>;

const keyOf = (secret: string, key: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, secret, 'idempotent answer', 32));

/**
 * Encrypts the answer with AES-256-GCM, under a key derived from our secret and the client's
 * Idempotency-Key. Base64 of nonce, tag and ciphertext.
 */
function sealAnswer(answer: StoredAnswer, secret: string, key: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret, key), nonce);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(answer), 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** Decrypts a stored answer; null when there is none, or when it does not open with this secret. */
function openAnswer(sealed: string | null, secret: string, key: string): StoredAnswer | null {
  if (sealed === null) return null;
  const bytes = Buffer.from(sealed, 'base64');
  const body = NONCE_BYTES + TAG_BYTES;
  try {
    const cipher = createDecipheriv(
      'aes-256-gcm',
      keyOf(secret, key),
      bytes.subarray(0, NONCE_BYTES),
    );
    cipher.setAuthTag(bytes.subarray(NONCE_BYTES, body));
    const text = Buffer.concat([cipher.update(bytes.subarray(body)), cipher.final()]);
    return kept.parse(JSON.parse(text.toString('utf8')));
  } catch {
    return null;
  }
}

const SPACE = 'idempotency';
/** How long an answer is kept. */
const KEPT_MS = 24 * 3_600_000;
/** After this time a request counts as dead, and its repetition may run: the command id is the same. */
const RUNNING_MS = 15_000;
/** How long a repetition waits for the first request's answer, and how often it checks. */
const PATIENCE_MS = 10_000;
const POLL_MS = 25;

interface IdempotentRequest {
  readonly actor: string;
  readonly method: string;
  /** Query included. */
  readonly path: string;
  readonly key: string;
  readonly body: Buffer;
}

type Begun =
  /** The request has not been done yet, or its answer was not kept: do the work, then call `settle`. */
  | { readonly kind: 'run'; settle(answer: StoredAnswer | 'done' | 'failed'): Promise<void> }
  | { readonly kind: 'replay'; readonly answer: StoredAnswer }
  | { readonly kind: 'refused'; readonly failed: Failure };

type Remembered = {
  readonly hash: string;
  readonly phase: 'running' | 'done';
  readonly answer: string | null;
};

const REUSED: Failure = {
  status: 422,
  message: 'This Idempotency-Key was already used for a different request',
  code: 'idempotency_key_reused',
};
const RUNNING: Failure = {
  status: 409,
  message: 'The same request is still being worked on. Please try again in a moment.',
  code: 'in_progress',
  headers: { 'Retry-After': '1' },
};

export interface Idempotency {
  begin(request: IdempotentRequest): Promise<Begun>;
}

/**
 * Remembers completed requests by (actor, method, path, key). A body is kept only as a keyed hash. An
 * answer is encrypted under the client's own key, which we do not store, so the stored data alone cannot
 * be decrypted. Entries written under `fallback`, the previous or next secret during a rotation, are
 * recognised too. No write waits for the disk: a request lost in a power cut runs again as the same
 * command.
 */
export function createIdempotency(
  state: State,
  secret: string,
  clock: Clock,
  fallback: string | null = null,
): Idempotency {
  const secrets = fallback === null ? [secret] : [secret, fallback];
  const idOf = ({ actor, method, path, key }: IdempotentRequest) =>
    createHash('sha256')
      .update(JSON.stringify([actor, method, path, key]))
      .digest('hex');
  const hashOf = (body: Buffer, under = secret) =>
    createHmac('sha256', under).update('request body\0').update(body).digest('hex');

  async function claim(id: string, hash: string, previous: StateEntry | null) {
    const now = clock.now();
    const running: Remembered = { hash, phase: 'running', answer: null };
    return state.put(SPACE, id, running, now, {
      if: previous?.version ?? 'absent',
      expiresAt: now + RUNNING_MS,
      durable: false,
    });
  }

  return {
    async begin(request) {
      const id = idOf(request);
      const hash = hashOf(request.body);
      const deadline = performance.now() + PATIENCE_MS;
      while (performance.now() < deadline) {
        const entry = await state.get<Remembered>(SPACE, id, clock.now());
        const under = secrets.find((each) => entry?.value.hash === hashOf(request.body, each));
        if (entry !== null && under === undefined) return { kind: 'refused', failed: REUSED };
        const answer = openAnswer(entry?.value.answer ?? null, under ?? secret, request.key);
        if (answer !== null) return { kind: 'replay', answer };
        if (entry?.value.phase !== 'running') {
          const version = await claim(id, hash, entry);
          if (version !== null) return run(id, hash, version, request.key);
        }
        await wait(POLL_MS);
      }
      return { kind: 'refused', failed: RUNNING };
    },
  };

  function run(id: string, hash: string, version: number, key: string): Begun {
    return {
      kind: 'run',
      async settle(answer) {
        if (answer === 'failed') {
          await state.delete(SPACE, id, version);
          return;
        }
        const sealed = answer === 'done' ? null : sealAnswer(answer, secret, key);
        const done: Remembered = { hash, phase: 'done', answer: sealed };
        const now = clock.now();
        await state.put(SPACE, id, done, now, {
          if: version,
          expiresAt: now + KEPT_MS,
          durable: false,
        });
      },
    };
  }
}
