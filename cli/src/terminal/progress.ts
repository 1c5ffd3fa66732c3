const WIDTH = 24;
/** Between two drawings, in milliseconds: a terminal need not show more. */
const REDRAW_MS = 100;

export interface Progress {
  /** Without a total, how much is done and how fast. */
  at(done: number, total?: number | null): void;
  end(): void;
}

/** Shows how far a work has come, and takes the bar away however it ends. */
export async function withProgress<T>(
  what: string,
  work: (at: Progress['at']) => Promise<T>,
): Promise<T> {
  const progress = createProgress(what);
  try {
    return await work(progress.at);
  } finally {
    progress.end();
  }
}

const clockTime = (seconds: number) =>
  seconds < 60 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;

/** A bar with rate and remaining time on a terminal's standard error; silent where nobody watches. */
export function createProgress(what: string): Progress {
  const watched = process.stderr.isTTY === true;
  const began = performance.now();
  let drawn = 0;
  return {
    at(done, total) {
      const now = performance.now();
      if (!watched || (now - drawn < REDRAW_MS && done !== total)) return;
      drawn = now;
      const rate = done / Math.max((now - began) / 1000, 0.001);
      if (total === undefined || total === null) {
        process.stderr.write(`\r${what} ${done}  ${Math.round(rate)}/s\x1b[K`);
        return;
      }
      const full = Math.round((done / Math.max(total, 1)) * WIDTH);
      const bar = '█'.repeat(full) + '░'.repeat(WIDTH - full);
      const left = rate > 0 ? clockTime((total - done) / rate) : '?';
      process.stderr.write(
        `\r${what} ${bar} ${done}/${total}  ${Math.round(rate)}/s  ${left} left\x1b[K`,
      );
    },
    end() {
      if (watched) process.stderr.write('\r\x1b[K');
    },
  };
}
