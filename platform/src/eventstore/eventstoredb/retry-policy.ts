import { pause } from '../../clock.js';
import { StoreUnavailable } from '../port.js';
import { describe, judge } from './failures.js';

/** Waits between tries, in milliseconds; the last one is repeated. */
const pauses = [50, 100, 200, 400, 800];

export const pauseBefore = (attempt: number): number =>
  pauses[Math.min(attempt, pauses.length - 1)] ?? 0;

/**
 * How long calls go on trying while the server is away. It is measured from the outage's beginning and
 * shared by all calls: a server that has been away for a while fails the next call at once, so that
 * nobody waits out the same silence again.
 */
export class RetryPolicy {
  #began: number | null = null;
  #lastFailure = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly retryForMs: number,
    private readonly now: () => number = () => performance.now(),
    /** Once it is aborted nobody tries again. */
    private readonly closing: AbortSignal = new AbortController().signal,
  ) {}

  /** The server has answered. */
  worked(): void {
    this.#began = null;
  }

  /** Notes a failure; whether the call may be tried again. */
  allowsRetry(): boolean {
    const now = this.now();
    // A failure long ago, with nobody asking since, is another outage.
    if (now - this.#lastFailure > this.retryForMs) this.#began = null;
    this.#lastFailure = now;
    this.#began ??= now;
    return now - this.#began < this.retryForMs;
  }

  /**
   * Comes back when the call may be tried again. `attempt`: how many tries have failed before.
   * @throws StoreUnavailable when it may not; whatever is no failure of the server, as it is.
   */
  async afterFailure(what: string, error: unknown, attempt: number): Promise<void> {
    const verdict = judge(error);
    if (verdict === 'bug') throw error;
    if (verdict === 'refused') {
      throw new StoreUnavailable(`EventStoreDB refuses to ${what}: ${describe(error)}`, true);
    }
    const { closing } = this;
    if (!closing.aborted && this.allowsRetry()) {
      await pause(pauseBefore(attempt), closing);
      if (!closing.aborted) return;
    }
    throw new StoreUnavailable(`EventStoreDB could not ${what}: ${describe(error)}`, false);
  }
}
