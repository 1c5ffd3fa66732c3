import { backOff, pause } from '../../clock.js';
import { StoreUnavailable } from '../port.js';
import { classifyFailure, describeError, isLoginRefused } from './failures.js';

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
