import { seller } from '@oja/domain';
import { contextOf, sellerActor } from '../commands.js';
import type { Deps, Handler } from '../deps.js';
import { failedAnswer, notYours } from '../refusals.js';
import { askedBy } from './askedBy.js';

/** A head admin suspends a seller, or lets them go on. */
export const toggleSuspended =
  ({ handle }: Pick<Deps, 'handle'>): Handler<'toggleSuspended'> =>
  async (request) => {
    const { params, actor } = request;
    const handled = await handle(
      seller,
      params.userId,
      { type: 'ToggleSuspension', actor: askedBy(actor) },
      contextOf(request, sellerActor(actor.sellerId)),
    );
    if (!handled.ok) return failedAnswer(handled);
    const { state, position } = handled;
    if (state.status === 'none') return notYours();
    const { businessName, isSuspended } = state;
    const message = `${businessName} is ${isSuspended ? 'suspended' : 'active again'}`;
    return {
      status: 200,
      body: { success: true, message, is_suspended: isSuspended ? 1 : 0 },
      position,
    };
  };
