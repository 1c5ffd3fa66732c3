import type { Clock, Engines } from '@oja/platform';
import { configExit } from '../terminal/exit.js';

/** In State: which log the market's accounts and answers belong to. It stays where it is in a move. */
export const LOG_SPACE = 'log';
const KEY = 'market';

type Belongs = { readonly logId: string };

interface Beside {
  readonly engines: Pick<Engines, 'state'>;
  readonly clock: Clock;
  readonly logId: string;
}

/** @throws Exit 78 where the log is not the one that State has known. */
export async function refuseForeignLog({ engines, clock, logId }: Beside): Promise<void> {
  const known = await engines.state.get<Belongs>(LOG_SPACE, KEY, clock.now());
  if (known === null || known.value.logId === logId) return;
  throw configExit(
    `The log ${logId} is not the one that this market's accounts and payments belong to (${known.value.logId}): look at EVENTSTORE_URL, MONGODB_URL and DATA_DIR. A market is taken to other engines with oja move.`,
  );
}

/** From now on no other log is taken for this market's. */
export async function rememberLog({ engines, clock, logId }: Beside): Promise<void> {
  await engines.state.put(LOG_SPACE, KEY, { logId } satisfies Belongs, clock.now(), {
    if: 'absent',
  });
}
