import { isPosition, type JsonObject } from '@oja/platform';
import type { BrowserToPush, OrderToPush } from './courier.js';

function text(data: JsonObject, field: string): string {
  const value = data[field];
  if (typeof value !== 'string') throw new Error(`a job without ${field}`);
  return value;
}

export function orderOf(data: JsonObject): OrderToPush {
  const position = text(data, 'position');
  if (!isPosition(position)) throw new Error('a job without a position');
  return { eventId: text(data, 'eventId'), position, transactionId: text(data, 'transactionId') };
}

export const browserOf = (data: JsonObject): BrowserToPush => ({
  eventId: text(data, 'eventId'),
  transactionId: text(data, 'transactionId'),
  sellerId: text(data, 'sellerId'),
  subscriptionId: text(data, 'subscriptionId'),
});
