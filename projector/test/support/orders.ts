import type { ContactEvent, TransactionEvent } from '@oja/domain';
import { recorded } from './shop.js';

/** Records the events of a new stream, all with the same time (ISO 8601). */
export function record(
  name: string,
  time: string,
  events: readonly (ContactEvent | TransactionEvent)[],
) {
  return events.map((event, i) => {
    const raw = recorded(name, i, event.type, event.data);
    return { ...raw, metadata: { ...raw.metadata, time } };
  });
}
