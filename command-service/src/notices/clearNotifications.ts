import { type NotificationDocument, notifications } from '@oja/contracts/models';
import { inbox } from '@oja/domain';
import { refuse } from '@oja/http';
import { POSITION_WAIT_MS, type Position } from '@oja/platform';
import { contextOf, sellerActor } from '../commands.js';
import type { Deps, Handler } from '../deps.js';
import { failedAnswer, notYours } from '../refusals.js';

const nothingToClear = () => refuse(404, 'No notifications to clear');

/** The position up to which notices are cleared: what the client has seen, at most the log's head. */
function upToOf(seen: Position | null, head: Position): Position {
  return seen === null || seen > head ? head : seen;
}

/** Whether there is a notice to clear. A read model that lags says yes: clearing too much does no harm. */
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

/** Clears one's own notices, and none that came after those the client was shown. */
export const clearNotifications =
  (deps: Deps): Handler<'clearNotifications'> =>
  async (request) => {
    const { params, actor } = request;
    const { sellerId } = actor;
    if (params.userId !== sellerId) return notYours();
    const head = await deps.eventStore.head();
    if (head === null) return nothingToClear();
    const upTo = upToOf(request.position, head);
    if (!(await hasUnread(deps, sellerId, upTo))) return nothingToClear();
    const handled = await deps.handle(
      inbox,
      sellerId,
      { type: 'ClearNotifications', sellerId, upTo },
      contextOf(request, sellerActor(sellerId)),
    );
    if (!handled.ok) return failedAnswer(handled);
    const message = 'Notifications cleared';
    return { status: 200, body: { success: true, message }, position: handled.position };
  };
