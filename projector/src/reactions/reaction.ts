import type { JsonObject, RecordedEvent } from '@oja/platform';

/** A job that an event asks for. */
export interface JobRequest {
  readonly queue: string;
  /** Whom or what it is for: with event and reaction it makes the job's id. Letters, digits, `-`. */
  readonly target: string;
  /** Ids only. */
  readonly data: JsonObject;
  readonly delayMs?: number;
}

/** Events → jobs. Only makes things sooner: whatever must happen is an obligation as well. */
export interface Reaction {
  readonly name: string;
  readonly events: readonly string[];
  /** Older events are passed over, in milliseconds; absent: never. */
  readonly staleAfterMs?: number;
  /** Pure. */
  react(event: RecordedEvent): readonly JobRequest[];
}

/** `<eventId>-<reaction>-<target>`: the same event never asks twice. */
export function jobId(event: RecordedEvent, reaction: Reaction, request: JobRequest): string {
  return `${event.id}-${reaction.name}-${request.target}`;
}
