import { createHash } from 'node:crypto';
import { type NotificationDocument, notifications } from '@oja/contracts/models';
import { inbox, isPushEndpoint, keySubject, sellerActor, streamNames } from '@oja/domain';
import { notYours, refuse } from '@oja/http';
import { POSITION_WAIT_MS, type Position } from '@oja/platform';
import { contextFor, factCommandId, factContext, failedAnswer, invalidField } from './commands.js';
import type { Deps, Handler, Handlers } from './deps.js';

const nothingToClear = () => refuse(404, 'No notifications to clear');

/** The log position up to which to clear: what the client has seen, but at most the log's head. */
function clampToHead(seen: Position | null, head: Position): Position {
  return seen === null || seen > head ? head : seen;
}

/**
 * Whether there is a notice to clear. When the read model lags, the answer is yes: clearing too much does no harm.
 */
async function hasUnread(
  { readModels, documents }: Pick<Deps, 'readModels' | 'documents'>,
  sellerId: string,
  upTo: Position,
): Promise<boolean> {
  if (!(await readModels.waitFor([notifications], upTo, POSITION_WAIT_MS))) return true;
  const items = await readModels.liveCollection(notifications, 'items');
  const { items: found } = await documents.find<NotificationDocument>(items, {
    filter: [
      { field: 'sellerId', op: 'eq', value: sellerId },
      { field: 'position', op: 'lte', value: upTo },
    ],
    limit: 1,
  });
  return found.length > 0;
}

/** Clears the caller's own notices, but none newer than those the client has shown. */
const clearNotifications =
  (deps: Deps): Handler<'clearNotifications'> =>
  async (request) => {
    const { params, actor } = request;
    const { sellerId } = actor;
    if (params.userId !== sellerId) return notYours();
    const head = await deps.eventStore.head();
    if (head === null) return nothingToClear();
    const upTo = clampToHead(request.position, head);
    if (!(await hasUnread(deps, sellerId, upTo))) return nothingToClear();
    const handled = await deps.handle(
      inbox,
      sellerId,
      { type: 'ClearNotifications', sellerId, upTo },
      contextFor(request, sellerActor(sellerId)),
    );
    if (!handled.ok) return failedAnswer(handled);
    const message = 'Notifications cleared';
    return { status: 200, body: { success: true, message }, position: handled.position };
  };

/** The id of a push subscription. The endpoint itself is never shown, because anyone who has it can send pushes. */
const subscriptionIdOf = (endpoint: string): string =>
  createHash('sha256').update(endpoint).digest('hex');

const checkSubscription =
  ({ load }: Pick<Deps, 'load'>): Handler<'checkSubscription'> =>
  async ({ body, actor }) => {
    if (body.sellerId !== actor.sellerId) return notYours();
    const { state } = await load(inbox, actor.sellerId);
    const exists = state.subscriptions.includes(subscriptionIdOf(body.newSubscription.endpoint));
    return { status: 200, body: { exists } };
  };

/** Accepts only endpoints of known push services: with any other URL, callers could make us send requests to it. */
const addSubscription =
  ({ handle, sealer }: Pick<Deps, 'handle' | 'sealer'>): Handler<'addSubscription'> =>
  async (request) => {
    const { sellerId } = request.actor;
    const { newSubscription } = request.body;
    if (request.body.sellerId !== sellerId) return notYours();
    const { endpoint } = newSubscription;
    if (!isPushEndpoint(endpoint))
      return invalidField('newSubscription.endpoint', 'is not of a push service that is known');
    const subscriptionId = subscriptionIdOf(endpoint);
    const field = `subscription:${subscriptionId}`;
    const sealed = await sealer.seal(keySubject('seller', sellerId), streamNames.inbox(sellerId), {
      [field]: JSON.stringify(newSubscription),
    });
    const subscription = sealed[field];
    if (subscription === undefined) throw new Error('what was sealed did not come back');
    const handled = await handle(
      inbox,
      sellerId,
      { type: 'SubscribePush', sellerId, subscriptionId, subscription },
      contextFor(request, sellerActor(sellerId)),
    );
    if (!handled.ok) return failedAnswer(handled);
    return { status: 201, body: { success: true }, position: handled.position };
  };

const removeSubscription =
  ({ handle }: Pick<Deps, 'handle'>): Handler<'removeSubscription'> =>
  async (request) => {
    const { sellerId } = request.actor;
    if (request.body.sellerId !== sellerId) return notYours();
    const handled = await handle(
      inbox,
      sellerId,
      {
        type: 'UnsubscribePush',
        sellerId,
        subscriptionId: subscriptionIdOf(request.body.endpoint),
      },
      contextFor(request, sellerActor(sellerId)),
    );
    if (!handled.ok) return failedAnswer(handled);
    return { status: 200, body: { success: true }, position: handled.position };
  };

/** The actor in event metadata for a push service. */
const PUSH_SERVICE = 'push-service';

/** A browser whose push service answered that it no longer exists. `eventId`: the event of that push. */
interface GoneBrowser {
  readonly eventId: string;
  readonly sellerId: string;
  readonly subscriptionId: string;
}

/**
 * Removes a browser from the seller's subscriptions.
 * @throws Error after repeated write conflicts; try again.
 */
export async function forgetPush(
  { handle }: Pick<Deps, 'handle'>,
  { eventId, sellerId, subscriptionId }: GoneBrowser,
): Promise<void> {
  const handled = await handle(
    inbox,
    sellerId,
    { type: 'UnsubscribePush', sellerId, subscriptionId },
    factContext(factCommandId('forget-push', eventId, sellerId, subscriptionId), PUSH_SERVICE),
  );
  if (!handled.ok) throw new Error('the subscription could not be taken out');
}

export const notificationHandlers = (deps: Deps) =>
  ({
    clearNotifications: clearNotifications(deps),
    checkSubscription: checkSubscription(deps),
    addSubscription: addSubscription(deps),
    removeSubscription: removeSubscription(deps),
  }) satisfies Partial<Handlers>;
