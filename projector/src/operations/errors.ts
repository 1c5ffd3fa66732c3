import { DAY_MS } from '@oja/domain';
import type { Clock, Logger, State } from '@oja/platform';

/** State space. `oja status` reads it there, wherever the projector's logs go. */
const SPACE = 'read-model-errors';
/** How long an error is kept. Older ones are of no use to anybody. */
const KEPT_MS = 30 * DAY_MS;

/** The last error of one generation of a read model. */
type ModelError = {
  /** The generation key. */
  readonly model: string;
  /** ISO 8601. */
  readonly time: string;
  readonly message: string;
};

interface RecordingLogger {
  /** Logs like the given logger, and also stores errors that name a read model. */
  readonly logger: Logger;
  /** Resolves once all pending writes have ended, whether they succeeded or not. */
  settled(): Promise<void>;
}

function modelErrorIn(fields: object, message: string): { model: string; message: string } | null {
  if (!('model' in fields) || typeof fields.model !== 'string') return null;
  const error = 'error' in fields && typeof fields.error === 'string' ? fields.error : null;
  return { model: fields.model, message: error === null ? message : `${message}: ${error}` };
}

/** Wraps a logger to keep the last error of each read model, for `oja status`. */
export function createErrorRecorder(
  logger: Logger,
  { state, clock }: { readonly state: State; readonly clock: Clock },
): RecordingLogger {
  let last: Promise<unknown> = Promise.resolve();
  async function keep(error: { model: string; message: string }): Promise<void> {
    const now = clock.now();
    const noted: ModelError = { ...error, time: new Date(now).toISOString() };
    await state.put(SPACE, error.model, noted, now, { expiresAt: now + KEPT_MS });
  }
  const noting = (inner: Logger): Logger => ({
    debug: inner.debug,
    info: inner.info,
    warn: inner.warn,
    error(fields, message) {
      inner.error(fields, message);
      const error = modelErrorIn(fields, message);
      // Ignore a State that is down: callers that depend on it report that.
      if (error !== null) last = last.then(() => keep(error)).catch(() => undefined);
    },
    fatal: inner.fatal,
    child: (fields) => noting(inner.child(fields)),
  });
  return {
    logger: noting(logger),
    async settled() {
      await last;
    },
  };
}

/** The last errors, by generation key. @throws when State cannot be read. */
export async function modelErrors(
  state: State,
  now: number,
): Promise<ReadonlyMap<string, ModelError>> {
  const entries = await state.list<ModelError>(SPACE, '', now);
  return new Map(entries.map(({ key, value }) => [key, value]));
}
