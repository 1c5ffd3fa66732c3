import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for the time of the work; removed whatever happens. */
export async function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'oja-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
