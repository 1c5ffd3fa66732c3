/** A value that survives JSON, as events and documents hold it. Undefined members are left out. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/**
 * The place of an event in the whole log: 20 decimal digits, zero-padded, so that positions sort as text.
 * Opaque to everyone but the engine; never parse it into a number.
 */
export type Position = string & { readonly __brand: 'Position' };

/** The name of a stream: `<category>-<id>`. */
export type StreamName = string;

/** The revision of a stream: 0 for its first event; 'no-stream' while it has none. */
export type Revision = number;
export type ExpectedRevision = Revision | 'no-stream';

/** How an event came about. `time` is ISO 8601 in UTC. */
export interface EventMetadata {
  /** `seller:<id>`, `buyer`, `operator`, `paystack`, `sweep`, … */
  readonly actor: string;
  /** UUID. One command never has two outcomes. */
  readonly commandId: string;
  /** Shared by a request and everything that follows from it. */
  readonly correlationId: string;
  /** The event or request that caused this one. */
  readonly causationId: string;
  readonly time: string;
  readonly schemaVersion: number;
  /** W3C Trace Context of the append, if traced: work that follows from the event continues this trace. */
  readonly traceparent?: string | undefined;
}

export interface EventToAppend {
  /** UUIDv5 of the command id and the event's index, type and data, so the same on every try of a decision. */
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
 * What a subscription yields, in log order. `checkpoint`: everything up to `position` was read, although
 * no event matched; `time` is that of the event there, if known. `caught-up`: what follows is live.
 */
export type SubscriptionItem =
  | { readonly kind: 'event'; readonly event: RecordedEvent }
  | { readonly kind: 'checkpoint'; readonly position: Position; readonly time: string | null }
  | { readonly kind: 'caught-up' };

export interface SubscribeOptions {
  /** Exclusive: the subscription starts with the next event. Null starts at the beginning of the log. */
  readonly after: Position | null;
  readonly signal: AbortSignal;
  /** Yields only events of these types. */
  readonly types?: readonly string[];
}

/** The event log. Every engine passes `platform/test/contracts/eventstore.ts`. */
export interface EventStore {
  /** The id of this log, which never changes. A restored copy has the same id. */
  logId(): Promise<string>;
  /**
   * Appends all events or none, and resolves only once they are on disk. Repeating an append with the
   * same ids and expected revision gives the first answer again, even after later writes.
   * @throws InvalidEvent before the engine is called; StoreUnavailable when the outcome is unknown (retry
   * with the same ids and revision).
   */
  append(
    stream: StreamName,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<AppendResult>;
  /** The events of one stream in order; empty for a missing stream. `from` is inclusive. */
  readStream(
    stream: StreamName,
    options?: { readonly from?: Revision },
  ): AsyncIterable<RecordedEvent>;
  /**
   * The events of the whole log in order, at most `limit`; none that was appended before is missing. `after` (exclusive)
   * need not be an event's position.
   */
  readAll(options: {
    readonly after: Position | null;
    readonly limit?: number;
  }): AsyncIterable<RecordedEvent>;
  /** The last events of the log, at most `limit`, in log order. Earlier events are not read. */
  readLast(limit: number): Promise<readonly RecordedEvent[]>;
  /** The position of the last event; null in an empty log. */
  head(): Promise<Position | null>;
  /** Ends without an error when the signal aborts, and reconnects by itself after the engine was away. */
  subscribe(options: SubscribeOptions): AsyncIterable<SubscriptionItem>;
  close(): Promise<void>;
}

/** The call is invalid; nothing was sent to the engine. */
export class InvalidEvent extends Error {
  override readonly name = 'InvalidEvent';
}

/** An engine that keeps a part of the market: a server, or SQLite, which is the files of the data folder. */
export type EngineName = 'EventStoreDB' | 'MongoDB' | 'Redis' | 'SQLite';

/**
 * The engine did not answer, or can no longer keep its guarantees. Whether the write happened is unknown:
 * repeat it with the same ids. When `permanent` is true, retries fail until somebody has checked the
 * machine (a failed fsync) and restarted the process.
 */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';

  constructor(
    readonly engine: EngineName,
    message: string,
    readonly permanent: boolean,
  ) {
    super(message);
  }
}

/** The disk is full: nothing was written. Writes work again once there is space. */
export class NoRoom extends StoreUnavailable {
  override readonly name = 'NoRoom';

  constructor(message: string) {
    super('SQLite', message, false);
  }
}

const digits = 20;
const format = /^\d{20}$/;

/** Formats an engine's number as a position, padded so that positions sort as text. */
export function positionOf(number: number | bigint): Position {
  return String(number).padStart(digits, '0') as Position;
}

export function isPosition(text: string): text is Position {
  return format.test(text);
}

/** For engines only; for everyone else a position is opaque. @throws RangeError when the text is not a position. */
export function numberOf(position: Position): bigint {
  if (!isPosition(position)) throw new RangeError(`'${position}' is not a position of a log`);
  return BigInt(position);
}

/** The value would change in JSON. The message names the place. */
export class NotJson extends Error {
  override readonly name = 'NotJson';
}

const maxDepth = 100;

function problemIn(value: unknown, path: string, depth: number): string | null {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return null;
  if (typeof value === 'number') {
    return Number.isFinite(value) ? null : `${path} is ${value}`;
  }
  if (typeof value !== 'object') return `${path} is of type ${typeof value}`;
  if (depth === maxDepth) return `${path} is nested deeper than ${maxDepth} levels`;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const problem = problemIn(value[index], `${path}[${index}]`, depth + 1);
      if (problem) return problem;
    }
    return null;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return `${path} is not a plain object`;
  for (const [name, member] of Object.entries(value)) {
    // `JsonObject` allows undefined members; JSON leaves them out.
    if (member === undefined) continue;
    const problem = problemIn(member, `${path}.${name}`, depth + 1);
    if (problem) return problem;
  }
  return null;
}

/**
 * Serialises an object that JSON can represent exactly. Dates, maps, bigints, NaN and the like do not
 * survive JSON, and some of them hang or kill an engine's client.
 * @throws NotJson naming the member; `name` is the root of its path.
 */
export function jsonText(value: unknown, name: string): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new NotJson(`${name} is not an object`);
  }
  const problem = problemIn(value, name, 0);
  if (problem) throw new NotJson(problem);
  return JSON.stringify(value);
}

/** The largest append in bytes: type, data and metadata of all its events as UTF-8. */
export const maxAppendBytes = 1024 * 1024;

/** An event with data and metadata as JSON text, as every engine stores them. */
export interface SerializedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const unfitForNames = /[\p{Surrogate}\p{Cc}]/u;

function checkName(what: string, name: string): void {
  if (typeof name !== 'string' || name.trim() === '') {
    throw new InvalidEvent(`The ${what} is empty`);
  }
  if (name.startsWith('$')) throw new InvalidEvent(`The ${what} '${name}' is a system name`);
  if (unfitForNames.test(name)) throw new InvalidEvent(`The ${what} has control characters`);
}

function serialized(event: EventToAppend, index: number): SerializedEvent {
  const where = `event ${index + 1}`;
  if (typeof event.id !== 'string' || !uuid.test(event.id)) {
    throw new InvalidEvent(`The id of ${where} is no UUID in lower case`);
  }
  checkName(`type of ${where}`, event.type);
  try {
    return {
      id: event.id,
      type: event.type,
      data: jsonText(event.data, 'data'),
      metadata: jsonText(event.metadata, 'metadata'),
    };
  } catch (error) {
    if (error instanceof NotJson) throw new InvalidEvent(`In ${where}, ${error.message}`);
    throw error;
  }
}

/**
 * Validates an append and serialises its events. Engines never get invalid input: some hang or end the
 * process over a bad id or a value that is not JSON.
 * @throws InvalidEvent
 */
export function checkedAppend(
  stream: StreamName,
  expected: ExpectedRevision,
  events: readonly EventToAppend[],
): readonly SerializedEvent[] {
  checkName('stream', stream);
  if (expected !== 'no-stream' && (!Number.isSafeInteger(expected) || expected < 0)) {
    throw new InvalidEvent(`The expected revision ${expected} is neither one nor 'no-stream'`);
  }
  if (events.length === 0) throw new InvalidEvent('There is no event to append');
  const ready = events.map(serialized);
  if (new Set(ready.map(({ id }) => id)).size < ready.length) {
    throw new InvalidEvent('Two events of one append have the same id');
  }
  const bytes = ready.reduce(
    (sum, { type, data, metadata }) => sum + Buffer.byteLength(type + data + metadata),
    0,
  );
  if (bytes > maxAppendBytes) {
    throw new InvalidEvent(`The append weighs ${bytes} bytes, more than ${maxAppendBytes}`);
  }
  return ready;
}
