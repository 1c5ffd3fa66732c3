import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { files, openState, type Plan, systemClock } from '@oja/platform';
import { reactionCheckpoint, skipReactionsTo } from '@oja/projector';
import type { AppContext } from '../../runtime/context.js';
import {
  boundLogId,
  foreignLogExit,
  type LogAndState,
  rebindLog,
  refuseForeignLog,
  type StateAndClock,
} from '../../runtime/log-identity.js';
import { refuseLost } from '../../runtime/open-data.js';
import { refuseRunning } from '../../runtime/running-processes.js';
import type { Line } from './export.js';
import { type Compared, type ImportTarget, refuseOtherMarket } from './import.js';

/** What an import makes of the log here. */
export type ImportMode =
  /** A log of its own, that may follow another market. */
  | 'copy'
  /** The log that was lost: the accounts, keys and letters beside it belong to the export's. */
  | 'put-back';

/**
 * Decides for a folder without a log before one is made in it, so that a refused export leaves nothing there.
 * @throws Exit 78 when State belongs to another log than the export's, or does not say to which the lost one did; 1 when
 * the market runs.
 */
export async function importModeWithoutLog(
  { dataDir, variables }: Plan,
  exported: string,
): Promise<ImportMode> {
  const { MONGODB_URL: mongodbUrl = null } = variables;
  const hasState = mongodbUrl !== null || existsSync(join(dataDir, files.state));
  if (hasState) {
    const state = await openState({ mongodbUrl, dataDir }, { createsNothing: true });
    try {
      const market = { config: { dataDir }, engines: { state }, clock: systemClock };
      const bound = await boundLogId(market);
      if (bound !== null && bound !== exported) throw foreignLogExit('', bound);
      if (bound !== null) {
        await refuseRunning(market, 'nothing was imported');
        return 'put-back';
      }
    } finally {
      await state.close();
    }
  }
  refuseLost(dataDir, [files.log]);
  return 'copy';
}

/**
 * Decides for the log that is here.
 * @throws Exit 78 when State belongs to neither log, or to the export's while the one here has events of its own; 1 when
 * a market whose log is to be put back runs, or when the export is another market's.
 */
export async function importModeWithLog(
  context: AppContext,
  exported: string,
  compare: () => Promise<Compared>,
): Promise<{ readonly mode: ImportMode; readonly compared: Compared }> {
  const { logId } = context;
  const bound = await boundLogId(context);
  // An export brings no keys: where an import was killed, the next one finds a log alone.
  if (bound !== exported) await refuseForeignLog(context, true);
  const compared = await compare();
  if (bound === exported && bound !== logId) {
    if (compared.beyond > 0) throw foreignLogExit(logId, bound);
    await refuseRunning(context, 'nothing was imported');
    return { mode: 'put-back', compared };
  }
  refuseOtherMarket({ exported, here: logId }, compared);
  return { mode: 'copy', compared };
}

/**
 * The events of the export that State does not know to have been reacted to, when it is the older of the two: letters
 * about them may have been sent, so they are not sent again. None are for a State that belongs to another log already.
 */
export async function letterSuppressor(
  { engines: { eventStore, state }, clock }: ImportTarget,
  exported: string,
): Promise<(event: Pick<Line, 'position'>) => boolean> {
  const { value } = await reactionCheckpoint(eventStore, state, clock.now());
  if (value.logId !== exported) return () => false;
  return ({ position }) => position !== undefined && position > (value.position ?? '');
}

/** The spaces of State that hold places of a log, or of read models that are made from it. */
const POSITION_SPACES = ['reactions', 'letters-walked', 'forgotten-walked'] as const;

async function clearSpace(
  { engines: { state }, clock }: StateAndClock,
  space: string,
): Promise<void> {
  for (;;) {
    const page = await state.list(space, '', clock.now());
    for (const { key } of page) await state.delete(space, key);
    if (page.length === 0) return;
  }
}

/**
 * Gives State the log that its market was brought into: nothing up to its end is reacted to, letters and erasures are
 * walked through from the beginning, and State belongs to this log from then on. After a kill it may be done again.
 */
export async function adoptLog(market: LogAndState): Promise<void> {
  const { engines, clock } = market;
  for (const space of POSITION_SPACES) await clearSpace(market, space);
  const head = await engines.eventStore.head();
  if (head !== null) await skipReactionsTo(engines.eventStore, engines.state, head, clock.now());
  await rebindLog(market);
}
