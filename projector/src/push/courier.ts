import {
  type NotificationsCollections,
  noticeMessage,
  notifications,
  queues,
} from '@oja/contracts/models';
import { isPushEndpoint, limits } from '@oja/domain';
import type { Clock, Documents, Jobs, Position, ReadModels, Sealer } from '@oja/platform';
import { POSITION_WAIT_MS } from '@oja/platform';
import { PUSH_STALE_AFTER_MS } from '../reactions/push.js';
import type { SendPush, Sent } from './sender.js';
import { subscriptionOf } from './subscription.js';

export interface CourierOptions {
  readonly documents: Documents;
  readonly readModels: ReadModels;
  readonly sealer: Sealer;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly send: SendPush;
}

/** An order that was paid, and the event that says so. */
export interface OrderToPush {
  readonly eventId: string;
  readonly position: Position;
  readonly transactionId: string;
}
export interface BrowserToPush {
  readonly eventId: string;
  readonly transactionId: string;
  readonly sellerId: string;
  readonly subscriptionId: string;
}

/**
 * `read`: the seller has seen and cleared the notice; `late`: it is no news any more; `unsubscribed`: nobody
 * is there, or their key is destroyed.
 */
export type PushOutcome = Sent | 'read' | 'late' | 'unsubscribed';

/** Carries the news of paid orders to the browsers of their sellers. */
export interface Courier {
  /** Asks for one job a browser. @throws while the read model has not passed the event. */
  announce(order: OrderToPush): Promise<void>;
  /** @throws when the push service could not take it: try again. */
  deliver(to: BrowserToPush): Promise<PushOutcome>;
}

/** With the waits of the queue it is tried for about half an hour. */
const ATTEMPTS = 11;
/** Push services carry 4 kB, encrypted; nobody reads more than this on a locked phone. */
const MESSAGE_MAX = 500;

const shortened = (text: string): string =>
  text.length > MESSAGE_MAX ? `${text.slice(0, MESSAGE_MAX - 1)}…` : text;

export function createCourier(options: CourierOptions): Courier {
  const { documents, readModels, sealer, jobs, clock, send } = options;

  async function read<C extends keyof NotificationsCollections>(collection: C, id: string) {
    const name = await readModels.liveCollection(notifications, collection);
    return documents.get<NotificationsCollections[C]>(name, id);
  }

  async function browsersOf(sellerId: string): Promise<readonly string[]> {
    const name = await readModels.liveCollection(notifications, 'subscriptions');
    const { items } = await documents.find<NotificationsCollections['subscriptions']>(name, {
      filter: [{ field: 'sellerId', op: 'eq', value: sellerId }],
      limit: limits.pushSubscriptions.max,
    });
    return items.map(({ document }) => document.subscriptionId);
  }

  /** The projector writes no events: command-service takes the subscription out. */
  async function forget({ eventId, sellerId, subscriptionId }: BrowserToPush): Promise<void> {
    const id = `${eventId}-push-${sellerId}-${subscriptionId}-gone`;
    await jobs.add(queues.forgetPush, { eventId, sellerId, subscriptionId }, { id });
  }

  return {
    async announce({ eventId, position, transactionId }) {
      if (!(await readModels.waitFor([notifications], position, POSITION_WAIT_MS)))
        throw new Error(`the payment of ${transactionId} has not been projected yet`);
      const order = await read('orders', transactionId);
      for (const { sellerId } of order?.sellers ?? []) {
        for (const subscriptionId of await browsersOf(sellerId)) {
          const to = { eventId, transactionId, sellerId, subscriptionId };
          const id = `${eventId}-push-${sellerId}-${subscriptionId}`;
          await jobs.add(queues.pushes, to, { id, attempts: ATTEMPTS });
        }
      }
    },

    async deliver(to) {
      const { transactionId, sellerId, subscriptionId } = to;
      const notice = await read('items', `${sellerId}/${transactionId}`);
      if (notice === null) return 'read';
      const leftMs = Date.parse(notice.createdAt) + PUSH_STALE_AFTER_MS - clock.now();
      if (leftMs <= 0) return 'late';
      const known = await read('subscriptions', `${sellerId}/${subscriptionId}`);
      if (known === null) return 'unsubscribed';
      const field = `subscription:${subscriptionId}`;
      const opened = await sealer.open(`inbox-${sellerId}`, field, known.subscription);
      if (opened === null) return 'unsubscribed';
      const subscription = subscriptionOf(opened);
      if (subscription === null || !isPushEndpoint(subscription.endpoint)) return 'refused';
      const message = JSON.stringify({ message: shortened(noticeMessage(notice.lines)) });
      const ttlSeconds = Math.ceil(leftMs / 1_000);
      const outcome = await send(subscription, message, { ttlSeconds });
      if (outcome === 'gone') await forget(to);
      return outcome;
    },
  };
}
