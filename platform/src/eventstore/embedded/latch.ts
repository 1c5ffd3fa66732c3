/** Remembers that something happened until somebody has waited for it: no wake-up is lost. */
export class Latch {
  #set = false;
  #release: (() => void) | null = null;

  set(): void {
    this.#set = true;
    this.#release?.();
  }

  /** Before looking: what happens from now on is news. */
  reset(): void {
    this.#set = false;
  }

  /** Resolves at once when it is set, else as soon as it is set or the signal aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    if (this.#set || signal.aborted) return;
    await new Promise<void>((resolve) => {
      // Taken off again: the signal lives as long as the subscription, and this is its every idle moment.
      const release = () => {
        signal.removeEventListener('abort', release);
        this.#release = null;
        resolve();
      };
      this.#release = release;
      signal.addEventListener('abort', release);
    });
  }
}
