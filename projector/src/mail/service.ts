import { randomUUID } from 'node:crypto';
import { type LetterKind, queues } from '@oja/contracts/models';
import { MINUTE_MS } from '@oja/domain';
import {
  createReadModels,
  type Jobs,
  type JsonObject,
  type Logger,
  pause,
  type State,
  underItsCorrelation,
} from '@oja/platform';
import { createMailer, type MailerOptions } from './mailer.js';
import { createRound, letterKinds } from './round.js';

export interface LettersOptions extends Omit<MailerOptions, 'readModels'> {
  readonly jobs: Jobs;
  readonly logger: Logger;
}

/** Sends the market's letters: at once by jobs, and every minute what is owed and was not sent. */
export interface Letters {
  start(): void;
  /** Lets the letter in hand go out. */
  stop(): Promise<void>;
}

const ROUND_MS = MINUTE_MS;

export function createLetters(options: LettersOptions): Letters {
  const { jobs, state, clock, logger } = options;
  const readModels = createReadModels(options.documents, clock);
  const mailer = createMailer({ ...options, readModels });
  const round = createRound({ ...options, readModels, mailer });
  const stopping = new AbortController();
  let working: { close(): Promise<void> } | null = null;
  let walking: Promise<void> = Promise.resolve();

  async function rounds(): Promise<void> {
    const owner = randomUUID();
    while (!stopping.signal.aborted) {
      try {
        if (await leased(state, owner, clock.now())) await round();
      } catch (error) {
        logger.warn({ err: error }, 'the round of letters could not be walked');
      }
      await pause(ROUND_MS, stopping.signal);
    }
  }

  return {
    start() {
      working = jobs.work(queues.letters, (job) =>
        underItsCorrelation(job, async () => {
          const { kind, subject } = letterOf(job.data);
          await mailer.deliver(kind, subject);
        }),
      );
      walking = rounds();
    },
    async stop() {
      stopping.abort();
      await Promise.all([working?.close(), walking]);
    },
  };
}

/** One process walks at a time; whoever dies is followed after the lease has run out. */
async function leased(state: State, owner: string, now: number): Promise<boolean> {
  const [space, key] = ['leases', 'letters'];
  const expiresAt = now + 2 * ROUND_MS;
  const held = await state.get(space, key, now);
  if (held !== null && held.value.owner !== owner) return false;
  const condition = held === null ? 'absent' : held.version;
  return (await state.put(space, key, { owner }, now, { if: condition, expiresAt })) !== null;
}

function letterOf({ kind, subject }: JsonObject): {
  readonly kind: LetterKind;
  readonly subject: string;
} {
  const known = letterKinds.find((each) => each === kind);
  if (known === undefined || typeof subject !== 'string') throw new Error('no such letter');
  return { kind: known, subject };
}
