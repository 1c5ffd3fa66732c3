import {
  type EventToAppend,
  type ExpectedRevision,
  InvalidEvent,
  type StreamName,
} from './port.js';

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
