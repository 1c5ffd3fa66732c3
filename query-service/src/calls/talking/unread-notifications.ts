import { isPosition, positionToken } from '@oja/platform';
import { descending, equal } from '../../models/values.js';
import { notification } from '../../wire/notification.js';
import { ok, type QueryHandler, type Tools } from '../handler.js';
import { notYours } from '../refusals.js';

/** More than anybody reads at once. */
const MOST_SHOWN = 1_000;

/**
 * Newest first. `position` is that of the newest, in the form of Oja-Position: given back by the clear,
 * it spares what came after this answer.
 */
export const unreadNotifications =
  ({ reader, images, logId }: Tools): QueryHandler<'unreadNotifications'> =>
  async ({ params, actor }) => {
    if (params.userId !== actor.sellerId) return notYours();
    const items = (await reader.open('notifications')).of('items');
    const page = await items.find({
      filter: [equal('sellerId', actor.sellerId)],
      sort: descending('position'),
      limit: MOST_SHOWN,
    });
    const newest = page.items[0]?.document.position ?? '';
    return ok({
      success: true,
      result: page.items.map(({ document }) => notification(document, images)),
      position: isPosition(newest) ? positionToken(await logId(), newest) : null,
    });
  };
