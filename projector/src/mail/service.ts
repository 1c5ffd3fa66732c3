import { randomUUID } from 'node:crypto';
import {
  isLetterKind,
  type LetterKind,
  letterKinds,
  notifications,
  type ObligationDocument,
  obligations,
  queues,
  sellers,
} from '@oja/contracts/models';
import { DAY_MS, MINUTE_MS } from '@oja/domain';
import {
  type Clock,
  createLease,
  createReadModels,
  type Documents,
  eachDocument,
  inTraceIfNotEmpty,
  type Jobs,
  type JsonObject,
  type Logger,
  messageOf,
  pause,
  type ReadModels,
  type State,
  withCorrelation,
  withJobCorrelation,
  yieldToEventLoop,
} from '@oja/platform';
import { dueRetries, letterSubject, readRetryState, recordFailure } from './letter-state.js';
import { createMailer, MailDown, type Mailer, type MailerOptions } from './mailer.js';
import { noticesToMail } from './seller-news.js';

interface RoundOptions {
  readonly documents: Documents;
  readonly readModels: ReadModels;
  readonly state: State;
  readonly mailer: Mailer;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Asked before each letter: false ends the round. Default: always true. */
  mayGoOn?(): Promise<boolean>;
}

/** State space, by kind: how far along its letters every one has been tried. */
const SCAN_PROGRESS = 'letters-walked';
/** How far the clock may jump back before all letters are gone over again. */
const SLACK_MS = DAY_MS;
/**
 * After this many failures in a row the rest of a list waits for the next round. If mail was down
 * each time, so does every other list: each letter may wait long for a server that does not answer.
 */
const MOST_FAILURES = 5;

type ScanProgress = {
  /** ISO 8601: all that were due up to this time. */
  readonly upTo: string;
  /** The version of the list (its read models' `walkVersion`) at that time; absent in entries of earlier releases. */
  readonly of?: string;
};

/**
 * Creates a round over all owed letters, which sends those that a queue has lost. Each kind
 * continues where the last round ended, since an event recorded later is never due earlier. That
 * does not hold after a parked stream was released or the read model was rebuilt: then the kind is
 * walked from its beginning.
 */
export function createRound(options: RoundOptions): () => Promise<void> {
  const { documents, readModels, state, mailer, clock, logger } = options;
  /** How often in a row the mail server was down in this round. */
  let timesDown = 0;

  const goesOn = async () => timesDown < MOST_FAILURES && ((await options.mayGoOn?.()) ?? true);

  /** A letter that is refused or put off has not failed: it blocks no other letter. */
  async function tryOne(kind: LetterKind, subject: string): Promise<'done' | 'failed'> {
    try {
      const delivery = await mailer.deliver(kind, subject);
      if (delivery === 'sent') timesDown = 0;
      if (delivery === 'refused')
        logger.error({ kind, subject }, 'an e-mail was refused too often and is given up');
      return delivery === 'takes-none' ? 'failed' : 'done';
    } catch (caught) {
      if (caught instanceof MailDown) timesDown += 1;
      const error = messageOf(caught);
      await recordFailure(state, kind, subject, { error, answer: 'down' }, clock.now());
      logger.warn({ kind, subject, error }, 'an e-mail could not be sent yet: it is tried again');
      return 'failed';
    }
  }

  /** Returns whether all subjects were tried. */
  async function tryAll(
    kind: LetterKind,
    subjects: AsyncIterable<string> | Iterable<string>,
  ): Promise<boolean> {
    let failures = 0;
    for await (const subject of subjects) {
      if (!(await goesOn())) return false;
      // Most letters were sent before. A long walk must let other work run in between.
      await yieldToEventLoop();
      const tried = await inTraceIfNotEmpty(`sweep letter ${kind}`, {}, () =>
        withCorrelation(randomUUID(), () => tryOne(kind, subject)),
      );
      failures = tried === 'failed' ? failures + 1 : 0;
      if (failures === MOST_FAILURES) return false;
    }
    return true;
  }

  /** The news for sellers from one time to another, without what was put off: that has a list of its own. */
  async function* owedNews(from: string, to: string): AsyncGenerator<string> {
    for await (const { subject } of noticesToMail({ documents, readModels, clock }, from, to))
      if ((await readRetryState(state, 'seller-news', subject, clock.now())) === null)
        yield subject;
  }

  /** Like `owedNews`, for letters of a kind that is listed among the obligations. */
  async function* owedLetters(kind: LetterKind, from: string, to: string): AsyncGenerator<string> {
    const collection = await readModels.liveCollection(obligations, 'due');
    const due = eachDocument<ObligationDocument>(documents, collection, {
      filter: [
        { field: 'kind', op: 'eq', value: kind },
        { field: 'due', op: 'gte', value: from },
        { field: 'due', op: 'lte', value: to },
      ],
      sort: [{ field: 'due', order: 'asc' }],
    });
    for await (const { document } of due) {
      const subject = await letterSubject(state, kind, document, clock.now());
      if ((await readRetryState(state, kind, subject, clock.now())) === null) yield subject;
    }
  }

  /** Tries the owed letters of a kind, from where the last round ended if their list still has the same version. */
  async function tryOwed(kind: LetterKind, listVersion: string): Promise<void> {
    const now = clock.now();
    const walked = (await state.get<ScanProgress>(SCAN_PROGRESS, kind, now))?.value;
    const resumeAt = Date.parse(walked?.upTo ?? '') - SLACK_MS;
    // A time to come is of a clock that was far ahead: nobody knows what was due meanwhile.
    const isKnown = walked?.of === listVersion && resumeAt <= now;
    const from = isKnown ? new Date(resumeAt).toISOString() : '';
    const upTo = new Date(now).toISOString();
    const letters = kind === 'seller-news' ? owedNews(from, upTo) : owedLetters(kind, from, upTo);
    if (await tryAll(kind, letters))
      await state.put(SCAN_PROGRESS, kind, { upTo, of: listVersion }, clock.now());
  }

  return async () => {
    timesDown = 0;
    // Read these first: a change in the meantime then causes one walk too many, not one too few.
    const obligationsVersion = await readModels.walkVersion(obligations);
    const versions = [notifications, sellers].map((model) => readModels.walkVersion(model));
    const newsVersion = (await Promise.all(versions)).join(' ');
    for (const kind of letterKinds) {
      if (!(await goesOn())) return;
      await tryAll(kind, await dueRetries(state, kind, clock.now()));
      await tryOwed(kind, kind === 'seller-news' ? newsVersion : obligationsVersion);
    }
  };
}

interface LettersOptions extends Omit<MailerOptions, 'readModels' | 'ending'> {
  readonly jobs: Jobs;
  readonly logger: Logger;
}

/** Sends the market's letters: at once by jobs, and every minute those that are owed but not sent. */
export interface Letters {
  start(): void;
  /**
   * Waits for running jobs and for the letter that the current round is sending. One that the mail server does not answer
   * soon is given up, and is still owed.
   */
  stop(): Promise<void>;
}

const ROUND_MS = MINUTE_MS;
/** How long the lease lasts when it is not renewed, in milliseconds. */
const LEASE_MS = 2 * ROUND_MS;
/** How long a stop waits for the mail server, in milliseconds. A process may take 20 s in all to close. */
const ANSWERED_WITHIN_MS = 5_000;

/** Sends what is owed: as jobs come, and in a round every minute by the one process that holds the lease. */
export function createLetters(options: LettersOptions): Letters {
  const { jobs, state, clock, logger } = options;
  const readModels = createReadModels(options.documents, clock);
  const ending = new AbortController();
  const mailer = createMailer({ ...options, readModels, ending: ending.signal });
  const lease = createLease(
    { state, clock },
    { space: 'leases', name: 'letters', forMs: LEASE_MS },
  );
  const stopping = new AbortController();
  const mayGoOn = async () => !stopping.signal.aborted && (await lease.keep());
  const round = createRound({ ...options, readModels, mailer, mayGoOn });
  let working: { close(): Promise<void> } | null = null;
  let walking: Promise<void> = Promise.resolve();

  async function rounds(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        if (await lease.hold()) await round();
      } catch (error) {
        logger.warn({ err: error }, 'a round of sending e-mails has failed');
      }
      await pause(ROUND_MS, stopping.signal);
    }
    // If State is down, the lease expires by itself.
    await lease.release().catch(() => undefined);
  }

  return {
    start() {
      working = jobs.work(queues.letters, (job) =>
        withJobCorrelation(job, async () => {
          const { kind, subject } = parseLetterJob(job.data);
          await mailer.deliver(kind, subject);
        }),
      );
      walking = rounds();
    },
    async stop() {
      stopping.abort();
      const late = setTimeout(() => ending.abort(), ANSWERED_WITHIN_MS);
      await Promise.all([working?.close(), walking]).finally(() => clearTimeout(late));
    },
  };
}

function parseLetterJob({ kind, subject }: JsonObject): {
  readonly kind: LetterKind;
  readonly subject: string;
} {
  if (!isLetterKind(kind) || typeof subject !== 'string')
    throw new Error(
      `a job asks for a letter of the kind ${JSON.stringify(kind)}, which there is not`,
    );
  return { kind, subject };
}
