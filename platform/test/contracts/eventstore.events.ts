import { randomUUID } from 'node:crypto';
import type {
  EventStore,
  EventToAppend,
  JsonObject,
  RecordedEvent,
  SubscriptionItem,
} from '@oja/platform';

/** An event; pass `data` and `type` when they matter. */
export function anEvent(data: JsonObject = {}, type = 'Noted'): EventToAppend {
  const id = randomUUID();
  return {
    id,
    type,
    data,
    metadata: {
      actor: 'operator',
      commandId: randomUUID(),
      correlationId: id,
      causationId: id,
      time: '2026-01-02T03:04:05.006Z',
      schemaVersion: 1,
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    },
  };
}

export function someEvents(many: number): EventToAppend[] {
  return Array.from({ length: many }, (_, index) => anEvent({ index }));
}

export async function listed<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

export const wholeLog = (store: EventStore) => listed(store.readAll({ after: null }));

/** Takes items up to the first for which `isLast` is true, and ends the subscription. */
export async function takeUntil(
  items: AsyncIterable<SubscriptionItem>,
  isLast: (item: SubscriptionItem, taken: readonly SubscriptionItem[]) => boolean,
): Promise<SubscriptionItem[]> {
  const taken: SubscriptionItem[] = [];
  for await (const item of items) {
    taken.push(item);
    if (isLast(item, taken)) break;
  }
  return taken;
}

export function eventsIn(items: readonly SubscriptionItem[]): RecordedEvent[] {
  return items.flatMap((item) => (item.kind === 'event' ? [item.event] : []));
}

export const idsOf = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id);
