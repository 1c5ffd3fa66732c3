import { seller } from '@oja/domain';
import { contextOf, sellerActor } from '../commands.js';
import type { Deps, Handler } from '../deps.js';
import { failedAnswer, missingFieldsAnswer, missingOf, notYours } from '../refusals.js';
import { askedBy } from './askedBy.js';

/** A head admin makes a seller a sub-admin, or no longer one. */
export const updateSubAdmin =
  ({ handle }: Pick<Deps, 'handle'>): Handler<'updateSubAdmin'> =>
  async (request) => {
    const { query, actor } = request;
    const { sellerId, isSubAdmin } = query;
    if (sellerId === undefined || isSubAdmin === undefined)
      return missingFieldsAnswer(missingOf({ sellerId, isSubAdmin }));
    const handled = await handle(
      seller,
      sellerId,
      { type: 'SetSubAdmin', isSubAdmin: isSubAdmin === 'true', actor: askedBy(actor) },
      contextOf(request, sellerActor(actor.sellerId)),
    );
    if (!handled.ok) return failedAnswer(handled);
    const { state, position } = handled;
    if (state.status === 'none') return notYours();
    const message = `${state.businessName} is ${state.isSubAdmin ? 'an admin now' : 'no longer an admin'}`;
    return { status: 200, body: { success: true, message }, position };
  };
