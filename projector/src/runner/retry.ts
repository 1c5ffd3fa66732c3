import { pause } from '@oja/platform';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 10_000;

export interface RetryOptions {
  readonly signal: AbortSignal;
  /** Something that changes when the work got somewhere: then the next try comes soon. */
  progress(): unknown;
  onError(error: unknown): void;
}

/**
 * Does the work again and again until it answers something else than 'again' or the signal aborts
 * (null). A failure is an engine that is away: it is told, and tried again after a growing pause.
 */
export async function retrying<T>(
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
      options.onError(error);
    }
    const moved = options.progress() !== before;
    ms = moved ? FIRST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, ms * 2);
    await pause(ms, options.signal);
  }
  return null;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A controller that aborts with the signal; `release` lets go of it. */
export function linked(signal: AbortSignal): {
  readonly controller: AbortController;
  release(): void;
} {
  const controller = new AbortController();
  const abort = () => controller.abort();
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  return { controller, release: () => signal.removeEventListener('abort', abort) };
}
