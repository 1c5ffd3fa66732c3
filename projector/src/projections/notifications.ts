import { notifications as model, type NotificationsCollections } from '@oja/contracts/models';
import { inboxEvents, type OrderLine, transactionEvents } from '@oja/domain';
import { define, del, put } from './define.js';

const { OrderPlaced, PaymentVerified } = transactionEvents;
const itemId = (sellerId: string, transactionId: string) => `${sellerId}/${transactionId}`;
const subscriptionKey = (sellerId: string, subscriptionId: string) =>
  `${sellerId}/${subscriptionId}`;

/** Each paid order is a notice to each of its sellers, until they clear it; and who wants pushes. */
export const notifications = define<NotificationsCollections>()({
  model,
  scope: 'stream',
  schemas: { OrderPlaced, PaymentVerified, ...inboxEvents },
  reads({ event }, documents) {
    switch (event.type) {
      case 'PaymentVerified': {
        const order = { collection: 'orders', id: event.data.transactionId } as const;
        if (!documents.has(order)) return [order];
        const sellers = documents.get('orders', order.id)?.sellers ?? [];
        return sellers.map(({ sellerId }) => ({ collection: 'inboxes', id: sellerId }));
      }
      case 'NotificationsCleared': {
        const { sellerId } = event.data;
        return [
          { collection: 'inboxes', id: sellerId },
          { collection: 'items', where: { field: 'sellerId', value: sellerId } },
        ];
      }
      default:
        return [];
    }
  },
  project({ event, position, at }, documents) {
    switch (event.type) {
      case 'OrderPlaced': {
        const { transactionId, lines, shares } = event.data;
        const sellers = shares.map(({ sellerId }) => ({
          sellerId,
          lines: linesOf(lines, sellerId),
        }));
        return [put('orders', transactionId, { sellers })];
      }
      case 'PaymentVerified': {
        const { transactionId } = event.data;
        const sellers = documents.get('orders', transactionId)?.sellers ?? [];
        return sellers.flatMap(({ sellerId, lines }) => {
          const inbox = documents.get('inboxes', sellerId);
          const clearedUpTo = inbox?.clearedUpTo ?? null;
          // Seen late, after its stream was parked: its seller has cleared beyond it.
          if (clearedUpTo !== null && position <= clearedUpTo) return [];
          const unread = (inbox?.unread ?? 0) + 1;
          const item = { sellerId, transactionId, position, createdAt: at, lines };
          return [
            put('items', itemId(sellerId, transactionId), item),
            put('inboxes', sellerId, { sellerId, unread, clearedUpTo }),
          ];
        });
      }
      case 'NotificationsCleared': {
        const { sellerId, upTo } = event.data;
        const before = documents.get('inboxes', sellerId)?.clearedUpTo ?? null;
        const clearedUpTo = before !== null && before > upTo ? before : upTo;
        const items = documents.find('items', 'sellerId', sellerId);
        const seen = items.filter(({ document }) => document.position <= clearedUpTo);
        const unread = items.length - seen.length;
        return [
          ...seen.map(({ id }) => del('items', id)),
          put('inboxes', sellerId, { sellerId, unread, clearedUpTo }),
        ];
      }
      case 'PushSubscribed': {
        const { sellerId, subscriptionId, subscription } = event.data;
        const document = { sellerId, subscriptionId, subscription };
        return [put('subscriptions', subscriptionKey(sellerId, subscriptionId), document)];
      }
      case 'PushUnsubscribed': {
        const { sellerId, subscriptionId } = event.data;
        return [del('subscriptions', subscriptionKey(sellerId, subscriptionId))];
      }
    }
  },
});

function linesOf(lines: readonly OrderLine[], sellerId: string) {
  return lines
    .filter((line) => line.sellerId === sellerId)
    .map(({ productId, name, quantity, image }) => ({ productId, name, quantity, image }));
}
