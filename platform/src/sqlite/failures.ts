/** SQLite's own name of an error (`SQLITE_BUSY`), or null for an error that is not SQLite's. */
export function sqliteCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' && error.code.startsWith('SQLITE_') ? error.code : null;
}

/** Another connection holds the lock; the same statement will work later. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== null && (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'));
}

const brokenStore = ['FULL', 'IOERR', 'CORRUPT', 'NOTADB', 'READONLY', 'CANTOPEN', 'NOMEM'];

/** The file or the disk under it cannot be trusted with another write. */
export function isBroken(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== null && brokenStore.some((name) => code.startsWith(`SQLITE_${name}`));
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
