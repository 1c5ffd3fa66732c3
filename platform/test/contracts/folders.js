import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
/** A fresh folder for one test, and what removes it again. */
export async function temporaryFolder() {
    const path = await mkdtemp(join(tmpdir(), 'oja-test-'));
    return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
//# sourceMappingURL=folders.js.map