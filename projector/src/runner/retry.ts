import { pause } from '@oja/platform';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 10_000;

export interface RetryOptions {
  readonly signal: AbortSignal;
  /** A value that changes when the work has made progress: then the next try comes soon. */
  progress(): unknown;
  onError(error: unknown): void;
  /** Whether a failure is thrown, and not waited out. Default: none is. */
  isFinal?(error: unknown): boolean;
}

/**
 * Repeats the work until it returns something other than 'again', or the signal aborts (null). A
 * failure means that an engine is down: it is reported, and the work retried after a growing pause. @throws a final one.
 */
export async function withRetry<T>(
  work: () => Promise<T | 'again'>,
  options: RetryOptions,
): Promise<T | null> {
  let ms = FIRST_PAUSE_MS;
  while (!options.signal.aborted) {
    const before = options.progress();
    try {
      const result = await work();
      if (result !== 'again') return result;
    } catch (error) {
      if (options.isFinal?.(error)) throw error;
      options.onError(error);
    }
    const moved = options.progress() !== before;
    ms = moved ? FIRST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, ms * 2);
    await pause(ms, options.signal);
  }
  return null;
}

/** A controller that aborts with the signal; `release` detaches it. */
export function linkedController(signal: AbortSignal): {
  readonly controller: AbortController;
  release(): void;
} {
  const controller = new AbortController();
  const abort = () => controller.abort();
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  return { controller, release: () => signal.removeEventListener('abort', abort) };
}
