/** A value that is made at its first use, and again after a failure. Callers at the same time share one making. */
export interface Lazy<T> {
  /** @throws what making it throws. */
  get(): Promise<T>;
  /** The value if it was made; null before, and after a failure. */
  made(): Promise<T | null>;
}

export function createLazy<T>(make: () => Promise<T>): Lazy<T> {
  let making: Promise<T> | null = null;
  return {
    get() {
      making ??= make().catch((error: unknown) => {
        making = null;
        throw error;
      });
      return making;
    },
    made: async () => making?.catch(() => null) ?? null,
  };
}
