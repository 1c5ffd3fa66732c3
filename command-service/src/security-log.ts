import { type Failure, Overloaded } from '@oja/http';
import { createSecurityLog, type SecurityEntry, type SecurityEvent } from '@oja/platform';
import { sellerIdByName } from './accounts/names.js';
import type { Deps, Handler, Handlers } from './deps.js';

type EntryPart = Pick<SecurityEntry, 'actor' | 'subject' | 'reason'>;

interface LoggedRequest {
  readonly clientAddress: string;
  readonly actor: { readonly sellerId: string } | null;
}
type Refused = { readonly failed: Failure };
type Granted<A> = Exclude<A, Refused>;

/** Who a log line is about, when that is not just the signed-in caller. */
interface About<R, A> {
  /** Null: nothing was changed, which no line should tell. */
  readonly granted?: (answer: Granted<A>, request: R) => EntryPart | null;
  readonly refused?: (request: R) => Promise<EntryPart>;
}

/** The answer to a call, and whether it has changed anything: what was so before was given to nobody just now. */
export type Changed<N extends keyof Handlers> = Awaited<ReturnType<Handler<N>>> & {
  readonly changed?: boolean;
};

export const hasChanged = (handled: {
  readonly repeated: boolean;
  readonly events: readonly unknown[];
}): boolean => !handled.repeated && handled.events.length > 0;

const TOO_OFTEN = 429;
const HASH_QUEUE = 'hash-queue';

const isRefused = (answer: object): answer is Refused => 'failed' in answer;
const isGranted = <A extends object>(answer: A): answer is Granted<A> => !isRefused(answer);

/**
 * The caller is not known yet. The seller whose name was typed is the subject: someone may be
 * guessing their password.
 */
export const claimedSubject =
  (deps: Pick<Deps, 'load' | 'eventStore'>) =>
  async ({ body }: { readonly body: { readonly businessName: string } }): Promise<EntryPart> => {
    const subject = await sellerIdByName(deps, body.businessName);
    return { actor: null, ...(subject !== null && { subject }) };
  };

/**
 * Ends all sessions of a seller whose password has changed, except `kept`, and logs it. Returns how
 * many were ended.
 */
export async function endSessions(
  { sessions, clock, logger }: Pick<Deps, 'sessions' | 'clock' | 'logger'>,
  sellerId: string,
  {
    kept,
    actor,
    ...entry
  }: Pick<SecurityEntry, 'actor' | 'from' | 'reason'> & { readonly kept?: string },
): Promise<number> {
  const sessionsEnded = await sessions.endAll(sellerId, clock.now(), kept);
  if (sessionsEnded > 0)
    createSecurityLog(logger)({
      event: 'session-ended',
      outcome: 'granted',
      ...entry,
      actor,
      sessions: sessionsEnded,
      ...(actor !== sellerId && { subject: sellerId }),
    });
  return sessionsEnded;
}

/**
 * Wraps a handler so that every outcome is written to the security log. A 429 is logged as 'limit-hit' with the
 * event's name as the reason, because it does not tell whether the attempt would have succeeded.
 */
export function withSecurityLog<R extends LoggedRequest, A extends object>(
  deps: Pick<Deps, 'logger'>,
  event: SecurityEvent,
  handler: (request: R) => A | Promise<A>,
  { granted, refused }: About<R, A> = {},
): (request: R) => Promise<A> {
  const log = createSecurityLog(deps.logger);
  return async (request) => {
    const from = request.clientAddress;
    const own: EntryPart = { actor: request.actor?.sellerId ?? null };
    const limited = (reason: string) =>
      log({ event: 'limit-hit', outcome: 'refused', from, ...own, reason });
    try {
      const answer = await handler(request);
      if (isGranted(answer)) {
        const entry = granted === undefined ? own : granted(answer, request);
        if (entry !== null) log({ event, outcome: 'granted', from, ...entry });
      } else if (isRefused(answer)) {
        const { status, code } = answer.failed;
        if (status === TOO_OFTEN) limited(event);
        else {
          const known = (await refused?.(request)) ?? own;
          log({ event, outcome: 'refused', from, ...known, reason: code ?? `${status}` });
        }
      }
      return answer;
    } catch (error) {
      if (error instanceof Overloaded) limited(HASH_QUEUE);
      throw error;
    }
  };
}
