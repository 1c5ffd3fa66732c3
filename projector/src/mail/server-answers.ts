import { createHash, randomUUID } from 'node:crypto';
import { redactText, type State } from '@oja/platform';

/*
 * What an answer of the mail server is about (also in docs/operations.md, 'An e-mail does not arrive'):
 *
 * | answered                                      | 4xx                  | 5xx                       |
 * | connecting, TLS, login, MAIL FROM; 421; none  | the server: retried within the hour, never given up |
 * | RCPT or DATA, while it takes other letters    | the letter: put off  | the letter: refused       |
 * | RCPT or DATA, of every letter                 | the server, as in the first row                     |
 *
 * A letter is 'put off' for five days, and 'refused' five times in four days. It is then given up, and until then
 * not overdue. Whether the server takes others is known from the run of letters that it has not taken since it took
 * one: a letter of an earlier run is at fault itself. One of this run may be, but is not given up before the server
 * has taken another. From the third recipient on, it counts as the server.
 */

/** State space of the run; it has one entry, which ends with the next letter that the server takes. */
const RUNS = 'mail-server';
const RUN = 'not-taken';

/** So many different recipients in a row are no coincidence. */
const RECIPIENTS = 3;

/** Letters that the mail server has not taken since it took one. */
type RefusalRun = {
  readonly id: string;
  /** ISO 8601: its first letter. */
  readonly since: string;
  /** The different recipients, at most `RECIPIENTS`, so shortened that none can be found out by its mark. */
  readonly recipients: readonly string[];
  /** The last answer, redacted. */
  readonly error: string;
};

/** `own`: the letter is at fault. `unsure`: it or the server. `server`: the server takes no letter. */
type Fault = 'own' | 'unsure' | 'server';

/** Whom an answer is about, and the run that the letter belongs to. */
export interface AnswerVerdict {
  readonly fault: Fault;
  readonly run: string;
  /** Whether this letter is the one that showed that the server takes no letter. */
  readonly isFirstOfOutage: boolean;
}

const recipientMark = (runId: string, address: string): string =>
  createHash('sha256').update(`${runId} ${address.toLowerCase()}`).digest('hex').slice(0, 4);

const readRun = async (state: State, now: number): Promise<RefusalRun | null> =>
  (await state.get<RefusalRun>(RUNS, RUN, now))?.value ?? null;

/**
 * Judges an answer to RCPT or DATA. `earlierRun`: the run that the letter belonged to when it was last not taken.
 * Two processes that write at once may lose a recipient, which the next round brings back.
 */
export async function classifyAnswer(
  state: State,
  {
    to,
    error,
    earlierRun,
  }: {
    readonly to: string;
    readonly error: string;
    readonly earlierRun: string | undefined;
  },
  now: number,
): Promise<AnswerVerdict> {
  const run = await readRun(state, now);
  if (earlierRun !== undefined && earlierRun !== run?.id)
    return { fault: 'own', run: earlierRun, isFirstOfOutage: false };
  const {
    id,
    since,
    recipients: before,
  } = run ?? {
    id: randomUUID(),
    since: new Date(now).toISOString(),
    recipients: [],
  };
  const recipients = [...new Set([...before, recipientMark(id, to)])].slice(0, RECIPIENTS);
  const after: RefusalRun = { id, since, recipients, error: redactText(error) };
  await state.put(RUNS, RUN, after, now);
  const isServer = recipients.length === RECIPIENTS;
  return {
    fault: isServer ? 'server' : 'unsure',
    run: id,
    isFirstOfOutage: isServer && before.length < RECIPIENTS,
  };
}

/** The mail server has taken a letter: what it does not take from here on is a run of its own. */
export async function endRefusalRun(state: State, now: number): Promise<void> {
  if ((await readRun(state, now)) !== null) await state.delete(RUNS, RUN);
}

/** Since when (ISO 8601) the mail server takes no letter, and its last answer, redacted; null while it takes some. */
export async function readMailOutage(
  state: State,
  now: number,
): Promise<Pick<RefusalRun, 'since' | 'error'> | null> {
  const run = await readRun(state, now);
  if (run === null || run.recipients.length < RECIPIENTS) return null;
  const { since, error } = run;
  return { since, error };
}
