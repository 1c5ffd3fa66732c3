import {
  type EventStoreDBClient,
  type JSONEventData,
  NO_STREAM,
  type AppendResult as ServerResult,
} from '@eventstore/db-client';
import {
  type AppendResult,
  checkedAppend,
  type EventToAppend,
  type ExpectedRevision,
  InvalidEvent,
  maxAppendBytes,
  type Revision,
  type StreamName,
} from '../port.js';
import type { Connection } from './connection.js';
import { NoAnswer, type RetryPolicy, typeOf, withTimeout } from './failures.js';
import { fromServer } from './recorded-event.js';

const utf8 = new TextEncoder();

/** Metadata is sent as bytes. The client would turn an object into base64 and that into bytes, twice. */
function dataOf({ id, type, data, metadata }: EventToAppend): JSONEventData {
  return {
    id,
    type,
    contentType: 'application/json',
    data: { ...data },
    metadata: utf8.encode(JSON.stringify(metadata)),
  };
}

function succeeded({ nextExpectedRevision, position }: ServerResult): AppendResult {
  const at = position ? fromServer(position) : null;
  if (at === null) throw new Error('EventStoreDB acknowledged an append without its position');
  return { ok: true, revision: Number(nextExpectedRevision), position: at };
}

/** The actual revision of the stream, from the wrong-revision error. */
function actualOf(error: unknown): ExpectedRevision {
  const actual = error instanceof Error && 'actualVersion' in error ? error.actualVersion : null;
  return typeof actual === 'bigint' ? (Number(actual) satisfies Revision) : 'no-stream';
}

/**
 * The append deadline of the client, in milliseconds. A day, because it is computed by our clock and
 * checked by the server's. The server gives up long before that, and we give up after `timeoutMs`.
 */
const deadline = 86_400_000;

function write(
  client: EventStoreDBClient,
  stream: StreamName,
  expected: ExpectedRevision,
  events: JSONEventData[],
): Promise<ServerResult> {
  // Always an exact revision; the client's default is 'any'.
  const expectedRevision = expected === 'no-stream' ? NO_STREAM : BigInt(expected);
  return client.appendToStream(stream, events, { expectedRevision, deadline });
}

export interface AppendDeps {
  readonly connection: Connection;
  readonly retries: RetryPolicy;
  /** How long one try may take before its outcome counts as unknown, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Appends at an exact revision. A try without an answer is repeated with the same ids and revision; the
 * server then gives the answer of the first time.
 * @throws InvalidEvent; StoreUnavailable when the server is away for longer than the retry policy allows.
 */
export async function append(
  { connection, retries, timeoutMs }: AppendDeps,
  stream: StreamName,
  expected: ExpectedRevision,
  events: readonly EventToAppend[],
): Promise<AppendResult> {
  checkedAppend(stream, expected, events);
  const data = events.map(dataOf);
  for (let attempt = 0; ; attempt += 1) {
    try {
      const result = await withTimeout(timeoutMs, (isLate) =>
        connection.write((client) => {
          if (isLate()) throw new NoAnswer('its turn came too late');
          return write(client, stream, expected, data);
        }),
      );
      retries.worked();
      return succeeded(result);
    } catch (error) {
      const type = typeOf(error);
      if (type === 'wrong-expected-version') {
        retries.worked();
        return { ok: false, reason: 'wrong-revision', actual: actualOf(error) };
      }
      if (type === 'maximum-append-size-exceeded') {
        throw new InvalidEvent(`The append weighs more than ${maxAppendBytes} bytes`);
      }
      await retries.afterFailure(`append to ${stream}`, error, attempt);
    }
  }
}
