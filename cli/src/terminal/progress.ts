const WIDTH = 24;
/** A shorter bar would say nothing. */
const LEAST_WIDTH = 6;
const USUAL_COLUMNS = 80;
const columns = () => process.stderr.columns || USUAL_COLUMNS;
/** The shortest time between two redraws, in milliseconds. */
const REDRAW_MS = 100;

export interface Progress {
  /** Without a total, only the count and the rate are shown. */
  update(done: number, total?: number | null): void;
  end(): void;
}

/** Shows a progress bar while `work` runs, and removes it whatever happens. */
export async function withProgress<T>(
  what: string,
  work: (at: Progress['update']) => Promise<T>,
): Promise<T> {
  const progress = createProgress(what);
  try {
    return await work(progress.update);
  } finally {
    progress.end();
  }
}

const MB = 1_000_000;

/** Like `withProgress`, for bytes, shown in MB. */
export const withByteProgress = <T>(
  what: string,
  work: (at: (done: number, total: number) => void) => Promise<T>,
): Promise<T> =>
  withProgress(`${what} MB`, (at) =>
    work((done, total) => at(Math.round(done / MB), Math.ceil(total / MB))),
  );

const formatRemaining = (seconds: number) =>
  seconds < 60 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;

interface ProgressState {
  readonly what: string;
  readonly done: number;
  readonly total?: number | null | undefined;
  /** Per second. */
  readonly rate: number;
}

/** A progress line that fits `width` columns. When there is too little room, the bar is left out first. */
export function progressLine({ what, done, total, rate }: ProgressState, width: number): string {
  const speed = `${Math.round(rate)}/s`;
  if (total === undefined || total === null) return `${what} ${done}  ${speed}`.slice(0, width - 1);
  const left = rate > 0 ? formatRemaining((total - done) / rate) : '?';
  const figures = `${done}/${total}  ${speed}  ${left} left`;
  const room = Math.min(WIDTH, width - 1 - what.length - 2 - figures.length);
  if (room < LEAST_WIDTH) return `${what} ${figures}`.slice(0, width - 1);
  const full = Math.round((done / Math.max(total, 1)) * room);
  return `${what} ${'█'.repeat(full)}${'░'.repeat(room - full)} ${figures}`;
}

/** A bar with rate and remaining time on standard error; silent when that is no terminal. */
export function createProgress(what: string): Progress {
  // A dumb terminal cannot redraw a line, so it would show every state of the bar one after the other.
  const watched = process.stderr.isTTY === true && process.env.TERM !== 'dumb';
  const began = performance.now();
  let drawn = 0;
  return {
    update(done, total) {
      const now = performance.now();
      if (!watched || (now - drawn < REDRAW_MS && done !== total)) return;
      drawn = now;
      const rate = done / Math.max((now - began) / 1000, 0.001);
      process.stderr.write(`\r${progressLine({ what, done, total, rate }, columns())}\x1b[K`);
    },
    end() {
      if (watched) process.stderr.write('\r\x1b[K');
    },
  };
}
