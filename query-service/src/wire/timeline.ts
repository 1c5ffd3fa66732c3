import type { TimelineEntry } from '@oja/contracts';
import type { TimelineDocument } from '@oja/contracts/models';

export function timelineEntry(document: TimelineDocument): TimelineEntry {
  const { eventId, type, at, actor, text } = document;
  return { id: eventId, type, at, actor, text };
}
