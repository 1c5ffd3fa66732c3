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
  close(): Promise<void>;
}
