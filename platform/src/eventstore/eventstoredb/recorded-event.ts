import type { Position as ServerPosition } from '@eventstore/db-client';
import { z } from 'zod';
import {
  type JsonObject,
  numberOf,
  type Position,
  positionOf,
  type RecordedEvent,
} from '../port.js';

/** The largest position that the server can count to. A position beyond it stands after every event. */
const lastPosition = 2n ** 63n - 1n;

/** Converts to the server's position: an event's commit and prepare positions are equal. */
export function toServer(position: Position): ServerPosition {
  const number = numberOf(position);
  const at = number < lastPosition ? number : lastPosition;
  return { commit: at, prepare: at };
}

/**
 * Converts the server's position. Null for an event of a transaction of the server's old protocol, whose
 * two numbers do not fit into one text; Oja never writes these.
 */
export function fromServer({ commit, prepare }: ServerPosition): Position | null {
  return commit === prepare ? positionOf(commit) : null;
}

/** The stream that holds the log's id. It belongs to this adapter and is hidden from everyone else. */
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

/** An event as the client delivers it. The client's richer types are not checked at run time. */
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

/** Whether a record is the server's own ($metadata, links, statistics) or this adapter's. Nobody sees these. */
export function isSystem({ streamId, type }: Pick<ServerEvent, 'streamId' | 'type'>): boolean {
  return type.startsWith('$') || streamId.startsWith('$') || streamId === IDENTITY;
}

function isObject(data: unknown): data is JsonObject {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

/** Converts an event; null when Oja did not write it. */
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
