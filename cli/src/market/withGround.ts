import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BOOKKEEPING, files } from '@oja/platform';
import { configExit } from './exit.js';
import { openGround } from './ground.js';
import { refuseMoved } from './moving.js';
import type { Ground } from './part.js';
import { openData, planOrExit } from './plan.js';

/** Never reached in practice: the timer only has to be there. */
const KEEP_ALIVE_MS = 2 ** 30;

/**
 * Runs a command on the market of this machine's settings, whether it is open or not; engines are
 * closed whatever happens. `fresh`: one that is not there yet is made. `moved`: also one that was taken
 * elsewhere or is not all here yet, for who only looks. @throws Exit 78 where there is no market yet.
 */
export async function withGround<T>(
  work: (ground: Ground) => Promise<T>,
  { fresh = false, moved = false }: { readonly fresh?: boolean; readonly moved?: boolean } = {},
): Promise<T> {
  const plan = planOrExit(process.env, true);
  const embedded = plan.variables.EVENTSTORE_URL === undefined;
  if (embedded && !fresh && !existsSync(join(plan.dataDir, files.log)))
    throw configExit(
      `There is no market in ${plan.dataDir} yet: open it once with npm start, or set DATA_DIR to where it is.`,
    );
  const { config, dataDir, logger } = await openData(plan, { service: 'cli', listens: false });
  const ground = await openGround({ config, logger, drawsSamples: config.demo });
  // Engines that wait for each other's news keep no process alive; a command under way does.
  const alive = setInterval(() => {}, KEEP_ALIVE_MS);
  try {
    if (!moved) await refuseMoved(ground);
    // A market that was imported or restored has no read models before its first start.
    await ground.engines.documents.ensure(BOOKKEEPING);
    return await work(ground);
  } finally {
    clearInterval(alive);
    await ground.engines.close();
    await logger.close();
    dataDir.release();
  }
}
