import { createHash, createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../clock/clock.js';
import type { State, StateEntry } from '../state/port.js';
import { type KeptAnswer, openAnswer, sealAnswer } from './answer-seal.js';
import type { Failed } from './failure.js';

const SPACE = 'idempotency';
/** How long an answer is kept. */
const KEPT_MS = 24 * 3_600_000;
/** After this a request is taken for dead, and its repetition goes ahead: the command id is the same. */
const RUNNING_MS = 15_000;
/** How long a repetition waits for the first one's answer, and how often it looks. */
const PATIENCE_MS = 10_000;
const GLANCE_MS = 25;

export interface IdempotentRequest {
  readonly actor: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly key: string;
  readonly body: Buffer;
}

export type Begun =
  /** Nobody has done it yet, or its answer was not kept: go ahead, then settle. */
  | { readonly kind: 'run'; settle(answer: KeptAnswer | 'done' | 'failed'): Promise<void> }
  | { readonly kind: 'replay'; readonly answer: KeptAnswer }
  | { readonly kind: 'refused'; readonly failed: Failed };

type Remembered = {
  readonly hash: string;
  readonly phase: 'running' | 'done';
  readonly answer: string | null;
};

const REUSED: Failed = {
  status: 422,
  message: 'This Idempotency-Key was already used for a different request',
  code: 'idempotency_key_reused',
};
const RUNNING: Failed = {
  status: 409,
  message: 'The same request is still being worked on. Please try again in a moment.',
  code: 'in_progress',
  headers: { 'Retry-After': '1' },
};

export interface Idempotency {
  begin(request: IdempotentRequest): Promise<Begun>;
}

/**
 * Remembers which requests were done, by (actor, method, path, key). A body is kept as a keyed hash
 * only. An answer is sealed under the client's own key, which is not kept: what is stored opens nothing.
 */
export function createIdempotency(state: State, secret: string, clock: Clock): Idempotency {
  const idOf = ({ actor, method, path, key }: IdempotentRequest) =>
    createHash('sha256')
      .update(JSON.stringify([actor, method, path, key]))
      .digest('hex');
  const hashOf = (body: Buffer) =>
    createHmac('sha256', secret).update('request body\0').update(body).digest('hex');

  async function claim(id: string, hash: string, previous: StateEntry | null) {
    const now = clock.now();
    const running: Remembered = { hash, phase: 'running', answer: null };
    return state.put(SPACE, id, running, now, {
      if: previous?.version ?? 'absent',
      expiresAt: now + RUNNING_MS,
    });
  }

  return {
    async begin(request) {
      const id = idOf(request);
      const hash = hashOf(request.body);
      const deadline = performance.now() + PATIENCE_MS;
      while (performance.now() < deadline) {
        const entry = await state.get<Remembered>(SPACE, id, clock.now());
        if (entry !== null && entry.value.hash !== hash) return { kind: 'refused', failed: REUSED };
        const answer = openAnswer(entry?.value.answer ?? null, secret, request.key);
        if (answer !== null) return { kind: 'replay', answer };
        if (entry?.value.phase !== 'running') {
          const version = await claim(id, hash, entry);
          if (version !== null) return run(id, hash, version, request.key);
        }
        await wait(GLANCE_MS);
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
        await state.put(SPACE, id, done, now, { if: version, expiresAt: now + KEPT_MS });
      },
    };
  }
}
