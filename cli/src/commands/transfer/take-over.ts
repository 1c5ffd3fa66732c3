import { skipReactionsTo } from '@oja/projector';
import type { AppContext } from '../../runtime/context.js';
import { rebindLog } from '../../runtime/log-identity.js';

/** The spaces of State that hold places of a log, or of read models that are made from it. */
const PLACES = ['reactions', 'letters-walked', 'forgotten-walked'] as const;

interface Beside extends Pick<AppContext, 'clock' | 'logId'> {
  readonly engines: Pick<AppContext['engines'], 'state' | 'keys' | 'eventStore'>;
}

async function clear({ engines: { state }, clock }: Beside, space: string): Promise<void> {
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
export async function takeOverLog(market: Beside): Promise<void> {
  const { engines, clock } = market;
  for (const space of PLACES) await clear(market, space);
  const head = await engines.eventStore.head();
  if (head !== null) await skipReactionsTo(engines.eventStore, engines.state, head, clock.now());
  await rebindLog(market);
}
