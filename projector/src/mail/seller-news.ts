import {
  isNewsLetterEvent,
  type NotificationDocument,
  notifications,
  type SellerDocument,
  sellers,
} from '@oja/contracts/models';
import { SELLER_NEWS_MS } from '@oja/domain';
import { type Clock, type Documents, eachDocument, type ReadModels } from '@oja/platform';

/**
 * Whether to mail a seller about a notice. `lettersSince`: since when they want letters (ISO 8601),
 * or null. `now`: epoch milliseconds.
 */
export const isMailWanted = (
  { type, createdAt }: NotificationDocument,
  lettersSince: string | null | undefined,
  now: number,
): boolean =>
  isNewsLetterEvent(type) &&
  typeof lettersSince === 'string' &&
  createdAt > lettersSince &&
  now - Date.parse(createdAt) < SELLER_NEWS_MS;

export interface SellerNewsDeps {
  readonly documents: Documents;
  readonly readModels: ReadModels;
  readonly clock: Clock;
}

/** Since when each seller wants letters, by seller id. */
async function lettersSinceBySeller({ documents, readModels }: SellerNewsDeps) {
  const collection = await readModels.liveCollection(sellers, 'sellers');
  const wanted = new Map<string, string | null>();
  const all = eachDocument<SellerDocument>(documents, collection, {
    filter: [{ field: 'lettersSince', op: 'gt', value: '' }],
  });
  for await (const { document } of all)
    if (!document.erased) wanted.set(document.sellerId, document.lettersSince);
  return wanted;
}

/**
 * Notices between `from` and `to` (ISO 8601, inclusive) that sellers are to be mailed about, oldest
 * first, sent or not. `subject` is the subject of the letter.
 */
export async function* noticesToMail(
  deps: SellerNewsDeps,
  from: string,
  to: string,
): AsyncGenerator<{ readonly subject: string; readonly at: string }> {
  const { documents, readModels, clock } = deps;
  const wanted = await lettersSinceBySeller(deps);
  if (wanted.size === 0) return;
  const oldest = new Date(clock.now() - SELLER_NEWS_MS).toISOString();
  const collection = await readModels.liveCollection(notifications, 'items');
  const items = eachDocument<NotificationDocument>(documents, collection, {
    filter: [
      { field: 'createdAt', op: 'gte', value: from > oldest ? from : oldest },
      { field: 'createdAt', op: 'lte', value: to },
    ],
    sort: [{ field: 'createdAt', order: 'asc' }],
  });
  for await (const { id, document } of items)
    if (isMailWanted(document, wanted.get(document.sellerId), clock.now()))
      yield { subject: id, at: document.createdAt };
}
