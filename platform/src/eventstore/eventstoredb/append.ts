import {
  type EventStoreDBClient,
  type JSONEventData,
  NO_STREAM,
  type AppendResult as ServerResult,
} from '@eventstore/db-client';
import {
  type AppendResult,
  type EventToAppend,
  type ExpectedRevision,
  InvalidEvent,
  type Revision,
  type StreamName,
} from '../port.js';
import { checkedAppend, maxAppendBytes } from '../validate.js';
import type { Connection } from './connection.js';
import { NoAnswer, typeOf, within } from './failures.js';
import { fromServer } from './recorded-event.js';
import type { RetryPolicy } from './retry-policy.js';

const utf8 = new TextEncoder();

/** Metadata go as bytes: of an object the client makes base64, which it turns into bytes again twice. */
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

/** Where the stream stands, from the error that says it stands elsewhere. */
function actualOf(error: unknown): ExpectedRevision {
  const actual = error instanceof Error && 'actualVersion' in error ? error.actualVersion : null;
  return typeof actual === 'bigint' ? (Number(actual) satisfies Revision) : 'no-stream';
}

/**
 * Until when the server may take an append, in milliseconds: a day, since it is told by our clock and read by its own.
 * It gives up by itself long before, and we do so after `timeoutMs`.
 */
const deadline = 86_400_000;

function write(
  client: EventStoreDBClient,
  stream: StreamName,
  expected: ExpectedRevision,
  events: JSONEventData[],
): Promise<ServerResult> {
  // Always an exact revision: the client's own default would be any.
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
 * Appends at an exact revision. A try without an answer is repeated with the same ids and revision,
 * which the server answers as it would have the first time.
 *
 * @throws InvalidEvent; StoreUnavailable when the server stayed away for longer than calls are tried.
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
      const result = await within(timeoutMs, (isLate) =>
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
