import { createHash } from 'node:crypto';
import { inbox, isPushEndpoint, keySubject } from '@oja/domain';
import { streamOf } from '@oja/platform';
import { contextOf, sellerActor } from '../commands.js';
import type { Deps, Handler } from '../deps.js';
import { failedAnswer, notYours, wrongField } from '../refusals.js';

/** A browser's subscription is known by its endpoint, which is itself a way in and is never shown. */
const subscriptionIdOf = (endpoint: string): string =>
  createHash('sha256').update(endpoint).digest('hex');

export const checkSubscription =
  ({ load }: Pick<Deps, 'load'>): Handler<'checkSubscription'> =>
  async ({ body, actor }) => {
    if (body.sellerId !== actor.sellerId) return notYours();
    const { state } = await load(inbox, actor.sellerId);
    const exists = state.subscriptions.includes(subscriptionIdOf(body.newSubscription.endpoint));
    return { status: 200, body: { exists } };
  };

/** Only endpoints of the known push services: whatever else is given would make us call it. */
export const addSubscription =
  ({ handle, sealer }: Pick<Deps, 'handle' | 'sealer'>): Handler<'addSubscription'> =>
  async (request) => {
    const { sellerId } = request.actor;
    const { newSubscription } = request.body;
    if (request.body.sellerId !== sellerId) return notYours();
    const { endpoint } = newSubscription;
    if (!isPushEndpoint(endpoint))
      return wrongField('newSubscription.endpoint', 'is not of a push service that is known');
    const subscriptionId = subscriptionIdOf(endpoint);
    const field = `subscription:${subscriptionId}`;
    const sealed = await sealer.seal(keySubject('seller', sellerId), streamOf(inbox, sellerId), {
      [field]: JSON.stringify(newSubscription),
    });
    const subscription = sealed[field];
    if (subscription === undefined) throw new Error('what was sealed did not come back');
    const handled = await handle(
      inbox,
      sellerId,
      { type: 'SubscribePush', sellerId, subscriptionId, subscription },
      contextOf(request, sellerActor(sellerId)),
    );
    if (!handled.ok) return failedAnswer(handled);
    return { status: 201, body: { success: true }, position: handled.position };
  };

export const removeSubscription =
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
      contextOf(request, sellerActor(sellerId)),
    );
    if (!handled.ok) return failedAnswer(handled);
    return { status: 200, body: { success: true }, position: handled.position };
  };
