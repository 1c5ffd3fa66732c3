import type { Readable } from 'node:stream';

/**
 * Takes what a stream of the client brings, one at a time and no faster than it is asked for. The
 * client's streams report an error without ending, so its listeners stay for as long as the stream.
 */
export class Intake<T> {
  #taken = 0;
  #ended = false;
  #failure: { readonly error: unknown } | null = null;
  #isNews = false;
  #release: (() => void) | null = null;

  constructor(private readonly stream: Readable) {
    const end = () => {
      this.#ended = true;
      this.wake();
    };
    stream.on('readable', () => this.wake());
    stream.on('end', end);
    stream.on('close', end);
    stream.on('error', (error: unknown) => {
      this.#failure ??= { error };
      end();
    });
  }

  /** How many have been handed out. */
  get taken(): number {
    return this.#taken;
  }

  /** How many have come, handed out or not. */
  get received(): number {
    return this.#taken + this.stream.readableLength;
  }

  /** The next one, or null while there is none. */
  take(): T | null {
    const item: T | null = this.stream.read();
    if (item !== null) this.#taken += 1;
    return item;
  }

  /** Whether nothing more will come. @throws what ended the stream, when it did not end by itself. */
  isOver(): boolean {
    if (this.#failure) throw this.#failure.error;
    return this.#ended;
  }

  /** Something has happened that whoever waits should look at. */
  wake(): void {
    this.#isNews = true;
    this.#release?.();
  }

  /** Until something happens, or nothing did for so long (milliseconds). */
  async wait(ms: number): Promise<'news' | 'silence'> {
    if (!this.#isNews) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#release = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#release = null;
    }
    const outcome = this.#isNews ? 'news' : 'silence';
    this.#isNews = false;
    return outcome;
  }
}
