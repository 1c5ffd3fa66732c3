import type { Clock, Engines } from '@oja/platform';
import { configExit } from '../terminal/exit.js';

/** The space of State that says which log its accounts and stored answers belong to. A move leaves it behind. */
export const LOG_SPACE = 'log';
const KEY = 'market';

type Belongs = { readonly logId: string };

interface Beside {
  readonly engines: Pick<Engines, 'state'>;
  readonly clock: Clock;
  readonly logId: string;
}

/** @throws Exit 78 when the log is not the one that State belongs to. */
export async function refuseForeignLog({ engines, clock, logId }: Beside): Promise<void> {
  const known = await engines.state.get<Belongs>(LOG_SPACE, KEY, clock.now());
  if (known === null || known.value.logId === logId) return;
  throw configExit(
    `The log ${logId} is not the one that this market's accounts and payments belong to (${known.value.logId}): check EVENTSTORE_URL, MONGODB_URL and DATA_DIR. To move a market to other engines, use oja move.`,
  );
}

/** Binds State to this log, unless it is bound already. */
export async function rememberLog({ engines, clock, logId }: Beside): Promise<void> {
  await engines.state.put(LOG_SPACE, KEY, { logId } satisfies Belongs, clock.now(), {
    if: 'absent',
  });
}
