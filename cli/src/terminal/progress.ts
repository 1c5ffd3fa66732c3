const WIDTH = 24;
/** A bar of fewer signs says nothing. */
const LEAST_WIDTH = 6;
const USUAL_COLUMNS = 80;
const columns = () => process.stderr.columns || USUAL_COLUMNS;
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

const MB = 1_000_000;

/** The same of so many bytes, told in MB. */
export const withProgressOfBytes = <T>(
  what: string,
  total: number,
  work: (at: (done: number) => void) => Promise<T>,
): Promise<T> =>
  withProgress(`${what} MB`, (at) =>
    work((done) => at(Math.round(done / MB), Math.ceil(total / MB))),
  );

const clockTime = (seconds: number) =>
  seconds < 60 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;

interface Stands {
  readonly what: string;
  readonly done: number;
  readonly total?: number | null | undefined;
  /** A second. */
  readonly rate: number;
}

/** How far it has come in one line that a terminal of so many columns does not break: of what it lacks room for, the bar goes first. */
export function progressLine({ what, done, total, rate }: Stands, width: number): string {
  const speed = `${Math.round(rate)}/s`;
  if (total === undefined || total === null) return `${what} ${done}  ${speed}`.slice(0, width - 1);
  const left = rate > 0 ? clockTime((total - done) / rate) : '?';
  const figures = `${done}/${total}  ${speed}  ${left} left`;
  const room = Math.min(WIDTH, width - 1 - what.length - 2 - figures.length);
  if (room < LEAST_WIDTH) return `${what} ${figures}`.slice(0, width - 1);
  const full = Math.round((done / Math.max(total, 1)) * room);
  return `${what} ${'█'.repeat(full)}${'░'.repeat(room - full)} ${figures}`;
}

/** A bar with rate and remaining time on a terminal's standard error; silent where nobody watches. */
export function createProgress(what: string): Progress {
  // A terminal that obeys nothing would show every drawing behind the one before.
  const watched = process.stderr.isTTY === true && process.env.TERM !== 'dumb';
  const began = performance.now();
  let drawn = 0;
  return {
    at(done, total) {
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
