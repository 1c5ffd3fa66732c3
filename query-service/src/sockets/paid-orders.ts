import type { NotificationDocument } from '@oja/contracts/models';
import { transaction } from '@oja/domain';
import {
  type Documents,
  type EventStore,
  hasPassed,
  type Position,
  type RecordedEvent,
} from '@oja/platform';
import type { Reader } from '../models/reader.js';

export interface PaidOrdersDeps {
  readonly eventStore: Pick<EventStore, 'readStream'>;
  readonly documents: Pick<Documents, 'changes'>;
  readonly reader: Reader;
}

/** Whose goods an order holds, from its own stream: no read model needs to have come so far. */
export async function sellersOf(
  { eventStore }: Pick<PaidOrdersDeps, 'eventStore'>,
  stream: RecordedEvent['stream'],
): Promise<readonly string[]> {
  for await (const { type, data } of eventStore.readStream(stream)) {
    const event = transaction.parse(type, data);
    if (event?.type === 'OrderPlaced') return event.data.shares.map(({ sellerId }) => sellerId);
  }
  return [];
}

/** Whether a read model has come to the position; false: the signal aborted first. */
export async function hasCome(
  { documents, reader }: Pick<PaidOrdersDeps, 'documents' | 'reader'>,
  model: 'notifications' | 'sellers',
  position: Position,
  signal: AbortSignal,
): Promise<boolean> {
  for await (const _ of documents.changes(signal)) {
    if (hasPassed(await reader.checkpointOf(model), position)) return true;
  }
  return false;
}

/** A seller's notice of an order; null when it is not unread (any more). */
export async function noticeOf(
  { reader }: PaidOrdersDeps,
  sellerId: string,
  transactionId: string,
): Promise<NotificationDocument | null> {
  const items = (await reader.open('notifications')).of('items');
  return items.get(`${sellerId}/${transactionId}`);
}
