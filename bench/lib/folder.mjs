import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs the work with a temporary folder, which is removed afterwards whatever happens. */
export async function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'oja-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
