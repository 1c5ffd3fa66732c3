import { calls } from '@oja/contracts';
import {
  type NotificationsCollections,
  noticeId,
  notifications,
  queues,
} from '@oja/contracts/models';
import { isPushEndpoint, limits, streamNames } from '@oja/domain';
import {
  type Clock,
  createReadModels,
  type Documents,
  isPosition,
  type Jobs,
  type JsonObject,
  type Logger,
  POSITION_WAIT_MS,
  type Position,
  parseJson,
  type ReadModels,
  type Sealer,
  type Worker,
  withCurrentCorrelation,
  withJobCorrelation,
} from '@oja/platform';
import { PUSH_STALE_AFTER_MS } from '../reactions/reactions.js';
import type { PushSubscription, SendPush, Sent } from './web-push.js';

const given = calls.addSubscription.body.shape.newSubscription;

/** Parses a subscription as the browser gave it; null when the text is not one. */
function subscriptionOf(text: string): PushSubscription | null {
  return given.safeParse(parseJson(text)).data ?? null;
}

interface PushSenderOptions {
  readonly documents: Documents;
  readonly readModels: ReadModels;
  readonly sealer: Sealer;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly send: SendPush;
}

/** An event that sellers have notices of. */
interface NewsToPush {
  readonly eventId: string;
  readonly position: Position;
}
export interface BrowserToPush {
  readonly eventId: string;
  readonly sellerId: string;
  readonly subscriptionId: string;
}

/**
 * `read`: the seller has cleared the notice. `late`: the notice is too old. `unsubscribed`: the
 * subscription is gone, or its key is destroyed.
 */
type PushOutcome = Sent | 'read' | 'late' | 'unsubscribed';

/** Pushes notices to the browsers of the sellers whom they concern. */
interface PushSender {
  /** Adds one job per browser. @throws while the read model has not passed the event. */
  announce(news: NewsToPush): Promise<void>;
  /** @throws when the push service could not take the message: try again. */
  deliver(to: BrowserToPush): Promise<PushOutcome>;
}

/** With the queue's pauses, a push is tried for about 17 minutes. */
const ATTEMPTS = 11;
/** In characters. Push services carry 4 kB, encrypted; nobody reads more than this on a locked phone. */
const MESSAGE_MAX = 500;

const shortened = (text: string): string =>
  text.length > MESSAGE_MAX ? `${text.slice(0, MESSAGE_MAX - 1)}…` : text;

/** Finds the browsers to notify of an event, and notifies one browser per job. */
export function createPushSender(options: PushSenderOptions): PushSender {
  const { documents, readModels, sealer, jobs, clock, send } = options;

  async function read<C extends keyof NotificationsCollections>(collection: C, id: string) {
    const name = await readModels.liveCollection(notifications, collection);
    return documents.get<NotificationsCollections[C]>(name, id);
  }

  /** The sellers with an unread notice of the event. */
  async function toldOf(eventId: string): Promise<readonly string[]> {
    const name = await readModels.liveCollection(notifications, 'items');
    const { items } = await documents.find<NotificationsCollections['items']>(name, {
      filter: [{ field: 'eventId', op: 'eq', value: eventId }],
      limit: limits.cartLines.max,
    });
    return items.map(({ document }) => document.sellerId);
  }

  async function browsersOf(sellerId: string): Promise<readonly string[]> {
    const name = await readModels.liveCollection(notifications, 'subscriptions');
    const { items } = await documents.find<NotificationsCollections['subscriptions']>(name, {
      filter: [{ field: 'sellerId', op: 'eq', value: sellerId }],
      limit: limits.pushSubscriptions.max,
    });
    return items.map(({ document }) => document.subscriptionId);
  }

  /** The projector does not write to inboxes: command-service removes the subscription. */
  async function forget({ eventId, sellerId, subscriptionId }: BrowserToPush): Promise<void> {
    const id = `${eventId}-push-${sellerId}-${subscriptionId}-gone`;
    await jobs.add(
      queues.forgetPush,
      withCurrentCorrelation({ eventId, sellerId, subscriptionId }),
      { id },
    );
  }

  return {
    async announce({ eventId, position }) {
      if (!(await readModels.waitFor([notifications], position, POSITION_WAIT_MS)))
        throw new Error(`the event ${eventId} has not been projected yet`);
      for (const sellerId of await toldOf(eventId)) {
        for (const subscriptionId of await browsersOf(sellerId)) {
          const to = { eventId, sellerId, subscriptionId };
          const id = `${eventId}-push-${sellerId}-${subscriptionId}`;
          await jobs.add(queues.pushes, withCurrentCorrelation(to), { id, attempts: ATTEMPTS });
        }
      }
    },

    async deliver(to) {
      const { eventId, sellerId, subscriptionId } = to;
      const notice = await read('items', noticeId(sellerId, eventId));
      if (notice === null) return 'read';
      const leftMs = Date.parse(notice.createdAt) + PUSH_STALE_AFTER_MS - clock.now();
      if (leftMs <= 0) return 'late';
      const known = await read('subscriptions', `${sellerId}/${subscriptionId}`);
      if (known === null) return 'unsubscribed';
      const field = `subscription:${subscriptionId}`;
      const opened = await sealer.open(streamNames.inbox(sellerId), field, known.subscription);
      if (opened === null) return 'unsubscribed';
      const subscription = subscriptionOf(opened);
      if (subscription === null || !isPushEndpoint(subscription.endpoint)) return 'refused';
      const message = JSON.stringify({ message: shortened(notice.message) });
      const ttlSeconds = Math.ceil(leftMs / 1_000);
      const outcome = await send(subscription, message, { ttlSeconds });
      if (outcome === 'gone') await forget(to);
      return outcome;
    },
  };
}

function requireText(data: JsonObject, field: string): string {
  const value = data[field];
  if (typeof value !== 'string') throw new Error(`a job without ${field}`);
  return value;
}

function parseNews(data: JsonObject): NewsToPush {
  const position = requireText(data, 'position');
  if (!isPosition(position)) throw new Error('a job without a position');
  return { eventId: requireText(data, 'eventId'), position };
}

export const parseBrowser = (data: JsonObject): BrowserToPush => ({
  eventId: requireText(data, 'eventId'),
  sellerId: requireText(data, 'sellerId'),
  subscriptionId: requireText(data, 'subscriptionId'),
});

interface PushesOptions extends Omit<PushSenderOptions, 'readModels'> {
  readonly jobs: Jobs;
  readonly logger: Logger;
}

/** Works the two push queues: one job per event, then one per browser. */
export interface Pushes {
  start(): void;
  /** Waits for jobs in progress. */
  stop(): Promise<void>;
}

/** Jobs that run at the same time: push services are slow and far away. */
const MAX_CONCURRENT = 4;

/** Works the queues from `start` to `stop`; what is sent, and to whom, is read from the read models. */
export function createPushes(options: PushesOptions): Pushes {
  const { documents, jobs, clock, logger } = options;
  const pushSender = createPushSender({
    ...options,
    readModels: createReadModels(documents, clock),
  });
  let workers: readonly Worker[] = [];
  return {
    start() {
      workers = [
        jobs.work(queues.orderPushes, (job) =>
          withJobCorrelation(job, () => pushSender.announce(parseNews(job.data))),
        ),
        jobs.work(
          queues.pushes,
          (job) =>
            withJobCorrelation(job, async () => {
              const to = parseBrowser(job.data);
              const outcome = await pushSender.deliver(to);
              if (outcome === 'refused')
                logger.warn(
                  { subscriptionId: to.subscriptionId },
                  'a push service refused a push message',
                );
            }),
          { concurrency: MAX_CONCURRENT },
        ),
      ];
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}
