import { backOff, pause } from '../../clock.js';
import { messageOf } from '../../message-of.js';
import { StoreUnavailable } from '../port.js';

/** What a failure of the client means for the caller. */
type FailureKind =
  /** The server is away, busy or starting. The outcome is unknown; the same call may be repeated. */
  | 'retry'
  /** The server refused; a retry would fail as well. */
  | 'refused'
  /** Not caused by the server. */
  | 'bug';

/** The server did not answer in time. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** By the client's error types. */
const kindsByType: Readonly<Record<string, FailureKind>> = {
  unavailable: 'retry',
  'deadline-exceeded': 'retry',
  // ABORTED: a time-out inside the server, or a subscriber that was too slow.
  timeout: 'retry',
  cancelled: 'retry',
  'not-leader': 'retry',
  // Includes 'Server Is Not Ready', which has no code while the server starts.
  unknown: 'retry',
  'access-denied': 'refused',
  'stream-deleted': 'refused',
};

/** By gRPC status codes, for errors that the client passes on raw, such as a lost connection. */
const kindsByCode: Readonly<Record<number, FailureKind>> = {
  1: 'retry', // CANCELLED
  2: 'retry', // UNKNOWN
  4: 'retry', // DEADLINE_EXCEEDED
  7: 'refused', // PERMISSION_DENIED
  8: 'retry', // RESOURCE_EXHAUSTED
  10: 'retry', // ABORTED
  13: 'retry', // INTERNAL: the connection broke in the middle of a frame
  14: 'retry', // UNAVAILABLE
  16: 'refused', // UNAUTHENTICATED
};

/** The client's type of an error, if it has one. */
export function typeOf(error: unknown): string | null {
  return error instanceof Error && 'type' in error && typeof error.type === 'string'
    ? error.type
    : null;
}

function codeOf(error: unknown): number | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'number'
    ? error.code
    : null;
}

/** Whether the server refused the user: PERMISSION_DENIED, UNAUTHENTICATED. */
function isLoginRefused(error: unknown): boolean {
  const code = codeOf(error);
  return code === 7 || code === 16 || typeOf(error) === 'access-denied';
}

/** No node of the cluster could name the leader. The client has no error type for this; it is temporary. */
export const isLeaderUnknown = (error: unknown): boolean =>
  error instanceof Error && /^Failed to discover\b/.test(error.message);

/** Judges by an error's properties, never by its class, which some errors lack. */
export function classifyFailure(error: unknown): FailureKind {
  if (error instanceof NoAnswer || isLeaderUnknown(error)) return 'retry';
  // Thrown by another call that gave up; a subscription, for example, reads the head of the log.
  if (error instanceof StoreUnavailable) return error.permanent ? 'refused' : 'retry';
  if (isLoginRefused(error)) return 'refused';
  const code = codeOf(error);
  const type = typeOf(error);
  if (type !== null) return kindsByType[type] ?? 'bug';
  return code === null ? 'bug' : (kindsByCode[code] ?? 'bug');
}

/** Whether the failure may concern this connection alone. */
export function isUnexplained(error: unknown): boolean {
  const code = codeOf(error);
  return code === 2 || code === 13 || (typeOf(error) === 'unknown' && code === null);
}

/** What happened, for people; without the connection string. */
export function describeError(error: unknown): string {
  const message = messageOf(error);
  return message === '' ? (typeOf(error) ?? 'no reason given') : message;
}

/**
 * The result of the work, if it comes within `ms` milliseconds. An append that has begun cannot be taken
 * back; one that still waits for its turn can check `isLate` and not begin.
 * @throws NoAnswer when the time is over.
 */
export async function withTimeout<T>(
  ms: number,
  begin: (isLate: () => boolean) => Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let late = false;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      late = true;
      reject(new NoAnswer(`no answer within ${ms} ms`));
    }, ms);
  });
  try {
    return await Promise.race([begin(() => late), silence]);
  } finally {
    clearTimeout(timer);
  }
}

/** Milliseconds before try number `attempt`, counted from 0. */
export const pauseBefore = (attempt: number): number => backOff(attempt + 1, 50, 800);

/**
 * Limits how long calls retry while the server is away. The time runs from the beginning of the outage
 * and is shared by all calls: once it is over, the next call fails at once instead of waiting again.
 */
export class RetryPolicy {
  #began: number | null = null;
  #lastFailure = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly retryForMs: number,
    private readonly now: () => number = () => performance.now(),
    /** Once aborted, no call is retried. */
    private readonly closing: AbortSignal = new AbortController().signal,
  ) {}

  /** Call when the server has answered: it ends the outage. */
  worked(): void {
    this.#began = null;
  }

  /** Records a failure; true when the call may be retried. */
  allowsRetry(): boolean {
    const now = this.now();
    // After a long time without calls, a failure belongs to a new outage.
    if (now - this.#lastFailure > this.retryForMs) this.#began = null;
    this.#lastFailure = now;
    this.#began ??= now;
    return now - this.#began < this.retryForMs;
  }

  /**
   * Resolves when the call may be retried. `attempt`: how many tries failed before this one.
   * @throws StoreUnavailable when it may not; the error itself when the server did not cause it.
   */
  async afterFailure(what: string, error: unknown, attempt: number): Promise<void> {
    const verdict = classifyFailure(error);
    if (verdict === 'bug') throw error;
    if (verdict === 'refused') {
      throw new StoreUnavailable(
        'EventStoreDB',
        `EventStoreDB refuses to ${what}: ${describeError(error)}${isLoginRefused(error) ? '; see whether EVENTSTORE_URL has the right name and password' : ''}`,
        true,
      );
    }
    const { closing } = this;
    if (!closing.aborted && this.allowsRetry()) {
      await pause(pauseBefore(attempt), closing);
      if (!closing.aborted) return;
    }
    throw new StoreUnavailable(
      'EventStoreDB',
      `EventStoreDB could not ${what}: ${describeError(error)}`,
      false,
    );
  }
}
