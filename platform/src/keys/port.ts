/** A subject's key as it is kept: nobody reads it without KEYS_MASTER_KEY. */
export interface KeptKey {
  readonly subject: string;
  /** The key under the master key, in base64; null: it was destroyed, for ever. */
  readonly wrapped: string | null;
}

/** So many are handed out at once, unless another number is asked for. */
export const KEPT_KEYS_PAGE = 1_000;

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
  /** Keys and destroyed subjects by subject, the first `limit` (default 1,000) after `after`. */
  kept(after: string | null, limit?: number): Promise<readonly KeptKey[]>;
  /**
   * Takes over what other keys under the same master key have kept. Who was destroyed there or here is
   * destroyed here; a key that is here already stays. Repeating it is harmless.
   * @throws WrongMasterKey before anything is taken; KeyDiffers where a subject has another key here.
   */
  adopt(kept: readonly KeptKey[]): Promise<void>;
  close(): Promise<void>;
}
