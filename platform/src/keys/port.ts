/** A subject's key as it is kept: nobody reads it without KEYS_MASTER_KEY. */
export interface KeptKey {
  readonly subject: string;
  /** The key under the master key, in base64; null: it was destroyed, for ever. */
  readonly wrapped: string | null;
}

/** So many are handed out at once, unless another number is asked for. */
export const KEPT_KEYS_PAGE = 1_000;

/** How a rotation of the master key is gone through. */
export interface RewrapOptions {
  /** Ends it between two pages; asked again it goes on. */
  readonly signal?: AbortSignal;
  /** Only counts. */
  readonly dryRun?: boolean;
  readonly onProgress?: (looked: number) => void;
}

export interface Rewrapped {
  readonly keys: number;
  /** Those that were wrapped under the fallback. */
  readonly rewrapped: number;
  /** Readers that do not end keep bytes wrapped under the fallback in the WAL. */
  readonly lingers: boolean;
}

/**
 * One AES-256-GCM key per person (`seller:<id>`, `transaction:<id>`, `contact:<id>`), kept wrapped
 * under KEYS_MASTER_KEY. Destroying a key makes everything sealed under it unreadable, for ever: a
 * destroyed subject gets no second key. Contract: `platform/test/contracts/keys.ts`.
 */
export interface Keys {
  /** The subject's 32 bytes, made at the first call. @throws KeyDestroyed for a destroyed subject. */
  obtain(subject: string): Promise<Buffer>;
  /** The 32 bytes, or null when there is none (any more). */
  find(subject: string): Promise<Buffer | null>;
  /** Many at once, in the order asked. */
  findMany(subjects: readonly string[]): Promise<readonly (Buffer | null)[]>;
  /**
   * Gone from file and WAL when it resolves. Whether there was one. Repeating it is harmless.
   * @throws KeyLingers when readers that do not end keep traces of it on the disk: try again.
   */
  destroy(subject: string): Promise<boolean>;
  isDestroyed(subject: string): Promise<boolean>;
  /**
   * Wraps every key under the master key that is still wrapped under the fallback, page by page. Whoever opens
   * the keys from its first page to its end must know both, and at its end only the master key. Each process that
   * makes keys must make them under the same one by then. Repeating it is harmless, and goes on.
   */
  rewrap(options?: RewrapOptions): Promise<Rewrapped>;
  /** Keys and destroyed subjects by subject, under the master key, the first `limit` (default 1,000) after `after`. */
  kept(after: string | null, limit?: number): Promise<readonly KeptKey[]>;
  /**
   * Takes over what other keys under the same master key, or the fallback, have kept. Who was destroyed there or here is
   * destroyed here; a key that is here already stays. Repeating it is harmless.
   * @throws WrongMasterKey before anything is taken; KeyDiffers where a subject has another key here.
   */
  adopt(kept: readonly KeptKey[]): Promise<void>;
  close(): Promise<void>;
}

/** The subject was erased: it never gets a key again. */
export class KeyDestroyed extends Error {
  override readonly name = 'KeyDestroyed';

  constructor(readonly subject: string) {
    super(`The key of ${subject} has been destroyed`);
  }
}

/**
 * Nobody gets the key any more, but its wrapped bytes still stand in the file's WAL, since somebody has
 * read the keys for too long. Destroying it again ends it once they have finished.
 */
export class KeyLingers extends Error {
  override readonly name = 'KeyLingers';

  constructor(readonly subject: string) {
    super(
      `The key of ${subject} is destroyed, but a reader keeps its traces in the WAL: try again`,
    );
  }
}

/** The subject has a key already, and it is another one: what is sealed under one of the two would be lost. */
export class KeyDiffers extends Error {
  override readonly name = 'KeyDiffers';

  constructor(readonly subject: string) {
    super(`${subject} has another key here`);
  }
}

/** The keys were wrapped under another master key: every one of them would be unreadable. */
export class WrongMasterKey extends Error {
  override readonly name = 'WrongMasterKey';

  constructor() {
    super('KEYS_MASTER_KEY is not the one that these keys were wrapped under');
  }
}
