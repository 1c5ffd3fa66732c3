import type { Clock, Engines } from '@oja/platform';
import { configExit, type Exit } from '../terminal/exit.js';

/** The space of State that says which log its accounts and stored answers belong to. A move leaves it behind. */
export const LOG_SPACE = 'log';
const KEY = 'market';

type LogBinding = { readonly logId: string };

/** State, and the clock by which its entries expire. */
export interface StateAndClock {
  readonly engines: Pick<Engines, 'state'>;
  readonly clock: Clock;
}

export interface LogAndState extends StateAndClock {
  readonly engines: Pick<Engines, 'state' | 'keys' | 'eventStore'>;
  /** Empty while the log has none yet, as one that nobody has written to. */
  readonly logId: string;
}

/** The id of the log that State belongs to; null while it belongs to none. */
export async function boundLogId({ engines, clock }: StateAndClock): Promise<string | null> {
  return (await engines.state.get<LogBinding>(LOG_SPACE, KEY, clock.now()))?.value.logId ?? null;
}

/** The error for a log beside the State of another one. */
export const foreignLogExit = (logId: string, bound: string): Exit =>
  configExit(
    `${logId === '' ? 'The log is empty and' : `The log ${logId}`} is not the one that this market's accounts and payments belong to (${bound}): check EVENTSTORE_URL, MONGODB_URL and DATA_DIR. To move a market to other engines, use oja move; to bring a lost log back from an export of it, use oja import.`,
  );

async function hasSellers({ eventStore }: LogAndState['engines']): Promise<boolean> {
  for await (const { type } of eventStore.readAll({ after: null }))
    if (type === 'SellerRegistered') return true;
  return false;
}

/**
 * Refuses a log whose people are somewhere else: a mistyped MONGODB_URL or DATA_DIR names a place without anybody, where
 * all would be nameless, nobody could log in, and every letter would be sent again.
 */
async function refuseLogWithoutPeople({ engines, logId }: LogAndState): Promise<void> {
  const [anyone] = await engines.keys.kept(null, 1);
  if (anyone !== undefined || !(await hasSellers(engines))) return;
  throw configExit(
    `The log ${logId} has sellers, but there is no key and no account of anybody beside it: check EVENTSTORE_URL, MONGODB_URL and DATA_DIR, or restore the keys and State from a backup. If an earlier release has imported this log here, run oja import again.`,
  );
}

/**
 * @throws Exit 78 when the log is not the one that State belongs to; or when State belongs to none yet and nobody's key
 * is beside a log with sellers, unless `mayBeAlone`.
 */
export async function refuseForeignLog(market: LogAndState, mayBeAlone = false): Promise<void> {
  const { logId } = market;
  const bound = await boundLogId(market);
  if (bound === null && !mayBeAlone) await refuseLogWithoutPeople(market);
  if (bound === null || bound === logId) return;
  throw foreignLogExit(logId, bound);
}

/** Binds State to this log, unless it is bound already. */
export async function bindLog({ engines, clock, logId }: LogAndState): Promise<void> {
  await engines.state.put(LOG_SPACE, KEY, { logId } satisfies LogBinding, clock.now(), {
    if: 'absent',
  });
}

/** Binds State to the log that its market was brought into, whichever it belonged to before. */
export async function rebindLog({ engines, clock, logId }: LogAndState): Promise<void> {
  await engines.state.put(LOG_SPACE, KEY, { logId } satisfies LogBinding, clock.now());
}
