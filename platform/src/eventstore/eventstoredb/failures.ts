import { StoreUnavailable } from '../port.js';

/** What a failure of the client means for whoever asked. */
type Verdict =
  /** The server is away, busy or starting: the outcome is unknown, and the same call may be repeated. */
  | 'retry'
  /** It answered that it will not: no repetition helps. */
  | 'refused'
  /** Not the server's doing at all. */
  | 'bug';

/** The server said nothing in the time it was given. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** As the client names what it understood. */
const byType: Readonly<Record<string, Verdict>> = {
  unavailable: 'retry',
  'deadline-exceeded': 'retry',
  // ABORTED: a time-out inside the server, or a subscriber that was too slow for it.
  timeout: 'retry',
  cancelled: 'retry',
  'not-leader': 'retry',
  // Also 'Server Is Not Ready', which comes without a code while the server starts.
  unknown: 'retry',
  'access-denied': 'refused',
  'stream-deleted': 'refused',
};

/** gRPC's numbers, for what the client passes on as it came: a lost connection is such a raw error. */
const byCode: Readonly<Record<number, Verdict>> = {
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

/** What the client calls an error, if it named it. */
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

/**
 * No node of a cluster said where its leader is. The client has no type for this, and it means no more than that the
 * cluster is away: it passes.
 */
export const isUndiscovered = (error: unknown): boolean =>
  error instanceof Error && /^Failed to discover\b/.test(error.message);

/** Tested by what an error carries, never by its class: some arrive without one. */
export function judge(error: unknown): Verdict {
  if (error instanceof NoAnswer || isUndiscovered(error)) return 'retry';
  // A call that somebody else has given up on: a subscription asks for the log's end.
  if (error instanceof StoreUnavailable) return error.permanent ? 'refused' : 'retry';
  const code = codeOf(error);
  if (code === 7 || code === 16) return 'refused';
  const type = typeOf(error);
  if (type !== null) return byType[type] ?? 'bug';
  return code === null ? 'bug' : (byCode[code] ?? 'bug');
}

/** Whether the server failed in a way that may be this connection's alone. */
export function isUnexplained(error: unknown): boolean {
  const code = codeOf(error);
  return code === 2 || code === 13 || (typeOf(error) === 'unknown' && code === null);
}

/** For people: what happened, without the connection string. */
export function describe(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message === '' ? (typeOf(error) ?? 'no reason given') : message;
}

/**
 * The work's outcome, if it comes in time. Nobody can take an append back that has begun; one that still
 * waits for its turn then never begins.
 */
export async function within<T>(
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
