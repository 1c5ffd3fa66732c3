interface Waiting {
  start(): void;
  refuse(error: Error): void;
}

/** Runs at most `most` calls at a time; the others wait in the order they came. */
export class ConcurrencyLimiter {
  #running = 0;
  #waiting: Waiting[] = [];
  #idle: (() => void)[] = [];

  constructor(private readonly most: number) {}

  /** The number of calls that have not started. */
  get waiting(): number {
    return this.#waiting.length;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.most) this.#running += 1;
    else {
      await new Promise<void>((start, refuse) => {
        this.#waiting.push({ start, refuse });
      });
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The slot passes straight to the next call: it is never free in between.
      if (next) next.start();
      else this.#running -= 1;
      if (this.#running === 0) for (const resolve of this.#idle.splice(0)) resolve();
    }
  }

  /** Resolves as soon as no call is running. */
  async idle(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Rejects all waiting calls with this error; they never start. */
  refuseWaiting(error: Error): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const each of waiting) each.refuse(error);
  }
}

/** Waits for all promises even when one rejects, so that nothing is left running. @throws the first one's error. */
export async function allOf(works: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
