import {
  type InboxDocument,
  type NotificationDocument,
  notifications,
  type SaleDocument,
  saleId,
  sales,
} from '@oja/contracts/models';
import type { InboxEvent, SellerEvent, TransactionEvent } from '@oja/domain';
import { createReadModels } from '@oja/platform';
import { projections } from '../../src/index.js';
import { MemoryDocuments } from './documents.js';
import { follow } from './follow.js';
import { MemoryLog } from './log.js';
import { recorded } from './shop.js';

export const PAID = '2026-03-01T08:00:00.000Z';
export const ORDER = 'order-1';

const line = (sellerId: string, name: string) => ({
  productId: `p-${name}`,
  sellerId,
  businessName: sellerId,
  name,
  image: 'picture.webp',
  subcategoryId: 1,
  quantity: 1,
  unitPrice: 1_150_000,
  priceKind: 'upload' as const,
});

/** A log of orders and sellers, and the read models `notifications` and `sales` that follow it. */
export function createNoticedMarket() {
  const log = new MemoryLog();
  const documents = new MemoryDocuments();

  async function happened(
    stream: string,
    events: readonly (TransactionEvent | InboxEvent | SellerEvent)[],
  ) {
    const from = log.events.filter((event) => event.stream === stream).length;
    log.record(
      events.map((event, i) => {
        const raw = recorded(stream, from + i, event.type, event.data);
        return { ...raw, metadata: { ...raw.metadata, time: PAID } };
      }),
    );
    for (const projection of projections)
      if (projection.name === 'notifications' || projection.name === 'sales')
        await follow(log, documents, projection, { batchSize: 9 });
  }

  /** Appends an order from Ada and Bola. */
  async function placed() {
    const sealed = { sealed: 'x', subject: `transaction:${ORDER}` };
    const share = (sellerId: string) => ({
      sellerId,
      businessName: sellerId,
      price: 1_150_000,
      share: 1_000_000,
    });
    await happened(`transaction-${ORDER}`, [
      {
        type: 'OrderPlaced',
        data: {
          transactionId: ORDER,
          lines: [line('ada', 'Bag'), line('ada', 'Shoe'), line('bola', 'Cap')],
          shares: [share('ada'), share('bola')],
          deliveryFee: 0,
          amount: 3_450_000,
          currency: 'NGN',
          reference: ORDER,
          fullName: sealed,
          email: sealed,
          homeAddress: sealed,
          phoneNumber: sealed,
          secret: sealed,
          at: PAID,
        },
      },
    ]);
  }

  /** Appends the payment of the order. */
  async function verified() {
    await happened(`transaction-${ORDER}`, [
      {
        type: 'PaymentVerified',
        data: {
          transactionId: ORDER,
          reference: ORDER,
          amount: 3_450_000,
          fees: 0,
          channel: 'card',
          providerId: '1',
          paidAt: PAID,
        },
      },
    ]);
  }

  /** Appends a paid order from Ada and Bola. */
  async function paid() {
    await placed();
    await verified();
  }

  /** The seller's notices, newest first. */
  async function noticesOf(sellerId: string): Promise<readonly NotificationDocument[]> {
    const items = await createReadModels(documents).liveCollection(notifications, 'items');
    const found = await documents.find<NotificationDocument>(items, {
      filter: [{ field: 'sellerId', op: 'eq', value: sellerId }],
      sort: [{ field: 'position', order: 'desc' }],
    });
    return found.items.map(({ document }) => document);
  }

  /** The messages of the seller's notices, newest first. */
  async function unread(sellerId: string): Promise<readonly string[]> {
    return (await noticesOf(sellerId)).map(({ message }) => message);
  }

  /** The messages of those about money that waits for the end of a bank's dispute. */
  async function waiting(sellerId: string): Promise<readonly string[]> {
    return (await noticesOf(sellerId))
      .filter(({ awaitsBank }) => awaitsBank)
      .map(({ message }) => message);
  }

  /** How many unread notices the seller's bell shows. */
  async function unreadCount(sellerId: string): Promise<number> {
    const inboxes = await createReadModels(documents).liveCollection(notifications, 'inboxes');
    return (await documents.get<InboxDocument>(inboxes, sellerId))?.unread ?? 0;
  }

  /** The types of the events in the history of the seller's part of the order, oldest first. */
  async function stepsOf(sellerId: string): Promise<readonly string[]> {
    const sold = await createReadModels(documents).liveCollection(sales, 'sales');
    const sale = await documents.get<SaleDocument>(sold, saleId(sellerId, ORDER));
    return (sale?.steps ?? []).map(({ type }) => type);
  }

  return {
    ...{ log, documents, happened, placed, verified, paid },
    ...{ unread, waiting, unreadCount, stepsOf },
  };
}
