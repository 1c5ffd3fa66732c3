import { setTimeout as wait } from 'node:timers/promises';
import { Client } from '../support/client.js';

export interface Told {
  /** 0 when no answer came. */
  readonly status: number;
  readonly body: unknown;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** Idempotency key: repetitions under one key are one request. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Milliseconds: limits for one answer and for a call with its retries, and the pauses between those. */
const ANSWER_MS = 30_000;
const PATIENCE_MS = 180_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_500;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A nested value of an answer; undefined if it is absent. */
export function field(body: unknown, ...path: readonly string[]): unknown {
  let at = body;
  for (const name of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Reflect.get(at, name);
  }
  return at;
}

const isPassing = ({ status, body }: Told): boolean =>
  status === 0 ||
  status === 429 ||
  status >= 500 ||
  (status === 409 && field(body, 'code') === 'in_progress');

/** Calls the market as the web app does: it repeats unanswered requests under the same key. */
export class Caller {
  readonly client: Client;

  constructor(origin: string) {
    this.client = new Client(origin);
  }

  async once({ method, path, body, key, headers }: Call): Promise<Told> {
    try {
      const answer = await this.client.fetch(path, {
        method,
        signal: AbortSignal.timeout(ANSWER_MS),
        headers: {
          ...headers,
          ...(key !== undefined && { 'Idempotency-Key': key }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      return { status: answer.status, body: parsed(answer.text) };
    } catch {
      return { status: 0, body: null };
    }
  }

  /** Returns the first answer that is not "try again", or the last one when time runs out. */
  async persist(call: Call): Promise<Told> {
    const until = performance.now() + PATIENCE_MS;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
      const told = await this.once(call);
      if (!isPassing(told) || performance.now() > until) return told;
      await wait(pause);
    }
  }
}
