import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { EventStore, RecordedEvent } from '../port.js';
import { IDENTITY } from './recorded.js';

const data = z.object({ logId: z.uuid() });

async function firstOf(events: AsyncIterable<RecordedEvent>): Promise<RecordedEvent | null> {
  for await (const event of events) return event;
  return null;
}

/**
 * The log's own name, kept in the log so that a copy of it has the same one. Whoever comes first names
 * it; of two who come together, one is refused and takes the other's.
 *
 * @throws StoreUnavailable
 */
export async function identify(store: Pick<EventStore, 'append' | 'readStream'>): Promise<string> {
  for (;;) {
    const first = await firstOf(store.readStream(IDENTITY));
    if (first !== null) return data.parse(first.data).logId;
    const id = randomUUID();
    await store.append(IDENTITY, 'no-stream', [
      {
        id,
        type: 'LogNamed',
        data: { logId: randomUUID() },
        metadata: {
          actor: 'operator',
          commandId: id,
          correlationId: id,
          causationId: id,
          time: new Date().toISOString(),
          schemaVersion: 1,
        },
      },
    ]);
  }
}
