import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';

/** The namespace of command ids: made once at random, never to be changed. */
const NAMESPACE = '6f1c0a52-7d0e-4c83-9b7c-2f5b7a0d9e41';

export interface CommandIdentity {
  /** Who asks, as `seller:<id>`, or 'anyone'. */
  readonly actor: string;
  readonly method: string;
  /** As in the request line, with its query. */
  readonly path: string;
  /** The Idempotency-Key; null where the client sent none. */
  readonly key: string | null;
}

/** The same request repeated with its key is the same command; without a key each is a new one. */
export function commandIdOf({ actor, method, path, key }: CommandIdentity): string {
  return key === null ? uuidv7() : uuidv5(JSON.stringify([actor, method, path, key]), NAMESPACE);
}
