import type { TransactionEvent } from '@oja/domain';
import { recorded } from './shop.js';

/** Records events of a stream, all at one time. */
export function record(name: string, time: string, events: readonly TransactionEvent[]) {
  return events.map((event, i) => {
    const raw = recorded(name, i, event.type, event.data);
    return { ...raw, metadata: { ...raw.metadata, time } };
  });
}
