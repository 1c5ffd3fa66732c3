import { type LetterKind, type ObligationDocument, obligations } from '@oja/contracts/models';
import { DAY_MS, HOUR_MS, reminderDays } from '@oja/domain';
import type { Clock, Documents, Logger, ReadModels, State } from '@oja/platform';
import { everyOne } from '../runner/findAll.js';
import { messageOf } from '../runner/persevere.js';
import type { Postman } from './postman.js';

export interface RoundOptions {
  readonly documents: Documents;
  readonly readModels: ReadModels;
  readonly state: State;
  readonly postman: Postman;
  readonly clock: Clock;
  readonly logger: Logger;
}

export const letterKinds: readonly LetterKind[] = [
  'receipt',
  'contact',
  'held-aside',
  'taken-back',
  'refund-failed',
  ...reminderDays.map((days) => `reminder-${days}` as const),
];

/** Up to which `due` every letter of a kind has been looked after. */
const WALKED = 'letters-walked';
/** How far a clock may go back without a letter being missed. */
const SLACK_MS = DAY_MS;
/** How often everything is walked, whatever was walked before: a released stream brings old dues. */
const WHOLE_MS = 6 * HOUR_MS;

/** A walk over the letters that are owed: whatever a queue has lost is sent here. */
export function createRound(options: RoundOptions): () => Promise<void> {
  const { documents, readModels, state, postman, clock, logger } = options;
  let wholeAt: number | null = null;

  /** Whether all that is due has been delivered. */
  async function walk(kind: LetterKind, from: string, to: string): Promise<boolean> {
    const collection = await readModels.liveCollection(obligations, 'due');
    let delivered = true;
    const owed = everyOne<ObligationDocument>(documents, collection, {
      filter: [
        { field: 'kind', op: 'eq', value: kind },
        { field: 'due', op: 'gte', value: from },
        { field: 'due', op: 'lte', value: to },
      ],
      sort: [{ field: 'due', order: 'asc' }],
    });
    for await (const { document } of owed) {
      try {
        await postman.deliver(kind, document.subject);
      } catch (error) {
        delivered = false;
        logger.warn({ kind, error: messageOf(error) }, 'a letter could not be sent yet');
      }
    }
    return delivered;
  }

  return async () => {
    const now = clock.now();
    const whole = wholeAt === null || now - wholeAt >= WHOLE_MS;
    if (whole) wholeAt = now;
    for (const kind of letterKinds) {
      const walked = await state.get<{ readonly upTo: string }>(WALKED, kind, now);
      const since = Date.parse(walked?.value.upTo ?? '') - SLACK_MS;
      const from = whole || Number.isNaN(since) ? '' : new Date(since).toISOString();
      const upTo = new Date(now).toISOString();
      if (await walk(kind, from, upTo)) await state.put(WALKED, kind, { upTo }, now);
    }
  };
}
