/** A subject's key as stored: unreadable without KEYS_MASTER_KEY. */
export interface KeptKey {
  readonly subject: string;
  /** The key wrapped under the master key, in base64; null when it was destroyed, which is final. */
  readonly wrapped: string | null;
}

/** The default page size of `kept`. */
export const KEPT_KEYS_PAGE = 1_000;

/** Options for a rotation of the master key. */
export interface RewrapOptions {
  /** Stops the rotation between two pages; the next call continues it. */
  readonly signal?: AbortSignal;
  /** Only counts. */
  readonly dryRun?: boolean;
  readonly onProgress?: (looked: number) => void;
}

export interface Rewrapped {
  readonly keys: number;
  /** How many keys were wrapped under the fallback. */
  readonly rewrapped: number;
  /** Long-running readers keep bytes wrapped under the fallback in the WAL. */
  readonly lingers: boolean;
}

/**
 * One AES-256-GCM key per person (`seller:<id>`, `transaction:<id>`, `contact:<id>`), stored wrapped
 * under KEYS_MASTER_KEY. Destroying a key makes everything sealed under it unreadable for ever, and the
 * subject never gets another key. Contract: `platform/test/contracts/keys.ts`.
 */
export interface Keys {
  /** The subject's key (32 bytes), created at the first call. @throws KeyDestroyed for a destroyed subject. */
  obtain(subject: string): Promise<Buffer>;
  /** The key (32 bytes), or null when there is none (any more). */
  find(subject: string): Promise<Buffer | null>;
  /** The keys of many subjects, in the order of `subjects`. */
  findMany(subjects: readonly string[]): Promise<readonly (Buffer | null)[]>;
  /**
   * Destroys a key and returns whether there was one. When it resolves, the key is gone from the file and
   * the WAL. May be repeated.
   * @throws KeyLingers when long-running readers keep traces of it on the disk: try again.
   */
  destroy(subject: string): Promise<boolean>;
  isDestroyed(subject: string): Promise<boolean>;
  /**
   * Rewraps, page by page, every key that is still wrapped under the fallback. While it runs, every
   * process that opens keys must know both master keys, and by its end all must wrap new keys under the
   * current one. After that only the current one is needed. May be repeated; it continues where it
   * stopped.
   */
  rewrap(options?: RewrapOptions): Promise<Rewrapped>;
  /** Wrapped keys and destroyed subjects, by subject: the first `limit` (default 1,000) after `after`. */
  kept(after: string | null, limit?: number): Promise<readonly KeptKey[]>;
  /**
   * Imports keys stored elsewhere under the same master key or the fallback. A subject destroyed there or
   * here is destroyed here; a key that exists here stays. May be repeated.
   * @throws WrongMasterKey before anything is imported; KeyDiffers when a subject has another key here.
   */
  adopt(kept: readonly KeptKey[]): Promise<void>;
  close(): Promise<void>;
}

/** The subject was erased; it never gets a key again. */
export class KeyDestroyed extends Error {
  override readonly name = 'KeyDestroyed';

  constructor(readonly subject: string) {
    super(`The key of ${subject} has been destroyed`);
  }
}

/**
 * Nobody can obtain the key any more, but its wrapped bytes are still in the WAL of the file, because of
 * a long-running reader. Destroy it again once that reader has finished.
 */
export class KeyLingers extends Error {
  override readonly name = 'KeyLingers';

  constructor(readonly subject: string) {
    super(
      `The key of ${subject} is destroyed, but a reader keeps its traces in the WAL: try again`,
    );
  }
}

/** The subject already has a different key; replacing one would lose everything sealed under it. */
export class KeyDiffers extends Error {
  override readonly name = 'KeyDiffers';

  constructor(readonly subject: string) {
    super(`${subject} has another key here`);
  }
}

/** The keys were wrapped under another master key; none of them could be read. */
export class WrongMasterKey extends Error {
  override readonly name = 'WrongMasterKey';

  constructor() {
    super('KEYS_MASTER_KEY is not the one that these keys were wrapped under');
  }
}
