import type { Position as ServerPosition } from '@eventstore/db-client';
import { z } from 'zod';
import {
  type JsonObject,
  numberOf,
  type Position,
  positionOf,
  type RecordedEvent,
} from '../port.js';

/** The largest position the server can count to; whatever is named beyond it stands after every event. */
const lastPosition = 2n ** 63n - 1n;

/** A position as the server wants it: an event's commit and prepare position are the same. */
export function toServer(position: Position): ServerPosition {
  const number = numberOf(position);
  const at = number < lastPosition ? number : lastPosition;
  return { commit: at, prepare: at };
}

/**
 * An event's position as everybody else knows it; null for one that belongs to a transaction of the
 * server's old protocol, which Oja never writes: two numbers do not fit into one text.
 */
export function fromServer({ commit, prepare }: ServerPosition): Position | null {
  return commit === prepare ? positionOf(commit) : null;
}

/** The stream that names the log. It is the adapter's own: the log, as others see it, has no such event. */
export const IDENTITY = 'oja-log';

const metadata = z.object({
  actor: z.string(),
  commandId: z.string(),
  correlationId: z.string(),
  causationId: z.string(),
  time: z.string(),
  schemaVersion: z.number(),
  traceparent: z.string().optional(),
});

/** What the client says an event is; its richer types are promises of the compiler's only. */
export interface ServerEvent {
  readonly id: string;
  readonly streamId: string;
  readonly type: string;
  readonly revision: bigint;
  readonly isJson: boolean;
  readonly data: unknown;
  readonly metadata?: unknown;
  readonly position?: ServerPosition | undefined;
}

/** The server's own records ($metadata, links, statistics) and the adapter's: nobody hears of them. */
export function isSystem({ streamId, type }: Pick<ServerEvent, 'streamId' | 'type'>): boolean {
  return type.startsWith('$') || streamId.startsWith('$') || streamId === IDENTITY;
}

function isObject(data: unknown): data is JsonObject {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

/** Null: Oja has not written this event. */
export function parsed(event: ServerEvent): RecordedEvent | null {
  const { id, type, data, streamId, revision } = event;
  const position = event.position ? fromServer(event.position) : null;
  const about = metadata.safeParse(event.metadata);
  if (!event.isJson || !isObject(data) || position === null || !about.success) return null;
  return {
    id,
    type,
    data,
    metadata: about.data,
    stream: streamId,
    revision: Number(revision),
    position,
  };
}
