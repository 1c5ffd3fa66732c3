import { NoAnswer } from './failures.js';

/**
 * The work's outcome, if it comes in time. Nobody can take an append back that has begun; one that still
 * waits for its turn then never begins.
 */
export async function within<T>(
  ms: number,
  begin: (isLate: () => boolean) => Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let late = false;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      late = true;
      reject(new NoAnswer(`no answer within ${ms} ms`));
    }, ms);
  });
  try {
    return await Promise.race([begin(() => late), silence]);
  } finally {
    clearTimeout(timer);
  }
}
