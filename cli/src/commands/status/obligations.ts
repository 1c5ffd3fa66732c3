import { waitingWebhooks } from '@oja/command-service';
import {
  isLetterKind,
  letterKinds,
  notifications,
  type ObligationDocument,
  type ObligationKind,
  obligations,
  sellers,
} from '@oja/contracts/models';
import { MINUTE_MS } from '@oja/domain';
import { eachDocument, nowOf, yieldToEventLoop } from '@oja/platform';
import {
  isSettled,
  isWaitingForReceiver,
  letterSubject,
  noticesToMail,
  readRetryState,
} from '@oja/projector';
import type { Answer } from '../../answers/index.js';
import type { AppContext } from '../../runtime/context.js';
import type { StateAndClock } from '../../runtime/log-identity.js';
import { findOverdue, type ObligationDeps } from './overdue.js';

type OwedStatus = Extract<
  Answer<'status'>,
  { readonly obligations: unknown }
>['obligations'][number];

/** How late an obligation may be before it counts as overdue; the sweep runs every minute. */
const GRACE_MS = 5 * MINUTE_MS;
/** How many obligations of a kind are counted: of `unlisted` kinds those due first, else those due last. */
const MAX_COUNTED = 5_000;
const PAUSE_EVERY = 100;

/** Kinds that are listed no longer once an event has met them. */
const unlisted: readonly ObligationKind[] = [
  'payment-check',
  'order-expiry',
  'dispute-check',
  'payout-check',
  'refund',
  'stock-return',
  'payout',
  'release-name',
];

const kinds: readonly ObligationKind[] = [
  ...unlisted,
  'destroy-key',
  ...letterKinds.filter((kind) => kind !== 'seller-news'),
];

/** Whether a listed obligation has been met: some kinds stay listed, because meeting them makes no event. */
export async function isMet(
  {
    engines,
    clock,
  }: Pick<AppContext, 'clock'> & {
    readonly engines: Pick<AppContext['engines'], 'keys' | 'state'>;
  },
  obligation: ObligationDocument,
): Promise<boolean> {
  const { kind, keySubject } = obligation;
  const now = clock.now();
  if (kind === 'destroy-key')
    return keySubject !== null && (await engines.keys.isDestroyed(keySubject));
  if (!isLetterKind(kind)) return false;
  const subject = await letterSubject(engines.state, kind, obligation, now);
  return isSettled(engines.state, kind, subject, now);
}

/**
 * Webhooks of the payment provider that are not processed yet; they are kept in State, not in the log. One that waits
 * for the provider to say the same is overdue only when it has waited long enough.
 */
export async function webhookStatus({ engines, clock }: StateAndClock): Promise<OwedStatus> {
  const waiting: number[] = [];
  for await (const { due } of waitingWebhooks({ state: engines.state, clock })) waiting.push(due);
  const overdue = waiting.filter((due) => due < clock.now() - GRACE_MS);
  const [oldest] = overdue.sort((a, b) => a - b);
  return {
    kind: 'webhook',
    open: waiting.length,
    overdue: overdue.length,
    oldest: oldest === undefined ? null : new Date(oldest).toISOString(),
  };
}

/** Letters owed to sellers about their news; they are derived from the notifications, not listed as obligations. */
async function sellerNewsStatus({
  engines,
  readModels,
  clock,
}: ObligationDeps): Promise<OwedStatus> {
  const kind = 'seller-news';
  const { documents, state } = engines;
  const late = new Date(clock.now() - GRACE_MS).toISOString();
  let [open, overdue] = [0, 0];
  let oldest: string | null = null;
  const begun = await Promise.all(
    [notifications, sellers].map((model) => readModels.checkpointOf(model)),
  );
  if (begun.includes(null)) return { kind, open, overdue, oldest };
  const to = nowOf({ clock });
  for await (const { subject, at } of noticesToMail({ documents, readModels, clock }, '', to)) {
    if (await isSettled(state, kind, subject, clock.now())) continue;
    open += 1;
    if (at > late || isWaitingForReceiver(await readRetryState(state, kind, subject, clock.now())))
      continue;
    overdue += 1;
    oldest ??= at;
  }
  return { kind, open, overdue, oldest };
}

/** Counts the open and the overdue obligations of each kind. */
export async function obligationStatuses(context: ObligationDeps): Promise<readonly OwedStatus[]> {
  const { engines, readModels, clock } = context;
  const notices = await webhookStatus(context);
  if ((await readModels.checkpointOf(obligations)) === null) return [notices];
  const due = await readModels.liveCollection(obligations, 'due');
  const late = new Date(clock.now() - GRACE_MS).toISOString();
  const statuses: OwedStatus[] = [];
  for (const kind of kinds) {
    let [open, looked] = [0, 0];
    const pastDue: ObligationDocument[] = [];
    const order = unlisted.includes(kind) ? 'asc' : 'desc';
    const all = eachDocument<ObligationDocument>(engines.documents, due, {
      filter: [{ field: 'kind', op: 'eq', value: kind }],
      sort: [{ field: 'due', order }],
    });
    for await (const { document } of all) {
      if (++looked > MAX_COUNTED) break;
      // Lets the event loop serve requests while a running market computes its metrics.
      if (looked % PAUSE_EVERY === 0) await yieldToEventLoop();
      if (await isMet(context, document)) continue;
      open += 1;
      if (document.due <= late) pastDue.push(document);
    }
    const overdue = await findOverdue(context, kind, pastDue);
    const [oldest = null] = overdue.map((each) => each.due).sort();
    statuses.push({ kind, open, overdue: overdue.length, oldest });
  }
  return [...statuses, await sellerNewsStatus(context), notices];
}
