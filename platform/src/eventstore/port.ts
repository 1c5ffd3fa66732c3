/** A value that survives JSON: what events carry and documents hold; an undefined member is left out. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/**
 * Where an event stands in the whole log: 20 decimal digits, zero-padded, so that positions sort as
 * text. Opaque to everyone but the engine; never parsed into a number.
 */
export type Position = string & { readonly __brand: 'Position' };

/** The name of a stream: `<category>-<id>`. */
export type StreamName = string;

/** The revision of a stream: 0 for its first event; 'no-stream' before it. */
export type Revision = number;
export type ExpectedRevision = Revision | 'no-stream';

/** What every event knows of its making. `time` is ISO 8601 in UTC. */
export interface EventMetadata {
  /** `seller:<id>`, `buyer`, `operator`, `paystack`, `sweep`, … */
  readonly actor: string;
  /** UUID; the same command never has two outcomes. */
  readonly commandId: string;
  /** One for a request and all that follows from it. */
  readonly correlationId: string;
  /** The event or request that caused this one. */
  readonly causationId: string;
  readonly time: string;
  readonly schemaVersion: number;
  /** W3C Trace Context of the append, where the market was traced: the traces of what follows go on from it. */
  readonly traceparent?: string | undefined;
}

export interface EventToAppend {
  /** UUIDv5 of (command id, index): the same command appends the same ids on every try. */
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: EventMetadata;
}

export interface RecordedEvent extends EventToAppend {
  readonly stream: StreamName;
  readonly revision: Revision;
  readonly position: Position;
}

export type AppendResult =
  | { readonly ok: true; readonly revision: Revision; readonly position: Position }
  | { readonly ok: false; readonly reason: 'wrong-revision'; readonly actual: ExpectedRevision };

/**
 * What a subscription yields, in the order of the log. `checkpoint` says that everything up to
 * `position` has been seen although nothing was for us, with the time of the event there where the engine
 * knows it; `caught-up` that what follows is live.
 */
export type SubscriptionItem =
  | { readonly kind: 'event'; readonly event: RecordedEvent }
  | { readonly kind: 'checkpoint'; readonly position: Position; readonly time: string | null }
  | { readonly kind: 'caught-up' };

export interface SubscribeOptions {
  /** Exclusive: the subscription starts with the event after it; null: with the first. */
  readonly after: Position | null;
  readonly signal: AbortSignal;
  /** Only these types; everything else is skipped by the engine where it can. */
  readonly types?: readonly string[];
}

/** The log. Every engine passes `platform/test/contracts/eventstore.ts`. */
export interface EventStore {
  /** Names this log for as long as it lives; a restored copy of it has the same one. */
  logId(): Promise<string>;
  /**
   * Appends all events or none, durably: it resolves only once they are on disk. Repeating the same
   * ids at the same expected revision answers as the first time, also after later writes.
   * @throws InvalidEvent before the engine is touched; StoreUnavailable when the outcome is unknown
   *   (retry with the same ids and revision).
   */
  append(
    stream: StreamName,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<AppendResult>;
  /** The events of one stream in order; none for a stream that is not there. `from` is inclusive. */
  readStream(
    stream: StreamName,
    options?: { readonly from?: Revision },
  ): AsyncIterable<RecordedEvent>;
  /** The events of the whole log in order, `after` (an event's place or between two) exclusive, at most `limit`. */
  readAll(options: {
    readonly after: Position | null;
    readonly limit?: number;
  }): AsyncIterable<RecordedEvent>;
  /** The last events of the log, at most `limit`, in their order; what stands before is not read. */
  readLast(limit: number): Promise<readonly RecordedEvent[]>;
  /** The position of the last event; null in an empty log. */
  head(): Promise<Position | null>;
  /** Ends without an error when the signal aborts; reconnects by itself when the engine went away. */
  subscribe(options: SubscribeOptions): AsyncIterable<SubscriptionItem>;
  close(): Promise<void>;
}

/** Something in the call is wrong; nothing was sent to the engine. */
export class InvalidEvent extends Error {
  override readonly name = 'InvalidEvent';
}

/**
 * The engine did not answer, or can no longer keep its promise. Whether the write happened is
 * unknown: repeat it with the same ids. When `permanent` is true no repetition helps until somebody
 * has looked at the machine (a failed fsync) and the process was started again.
 */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';

  constructor(
    message: string,
    readonly permanent: boolean,
  ) {
    super(message);
  }
}

/** The disk is full: nothing of the write is there. Writes are taken again once there is room. */
export class NoRoom extends StoreUnavailable {
  override readonly name = 'NoRoom';

  constructor(message: string) {
    super(message, false);
  }
}

const digits = 20;
const format = /^\d{20}$/;

/** The text of an engine's number, padded so that positions sort as text. */
export function positionOf(number: number | bigint): Position {
  return String(number).padStart(digits, '0') as Position;
}

export function isPosition(text: string): text is Position {
  return format.test(text);
}

/** For engines only: everybody else treats a position as opaque. @throws RangeError for another text. */
export function numberOf(position: Position): bigint {
  if (!isPosition(position)) throw new RangeError(`'${position}' is not a position of a log`);
  return BigInt(position);
}
