import { watch } from '../sqlite/index.js';

/** Yields at the start and after commits to the file, until the signal aborts. */
export async function* changesOf(file: string, signal: AbortSignal): AsyncIterable<void> {
  let isNew = true;
  let wake = () => {};
  const unwatch = watch(file, () => {
    isNew = true;
    wake();
  });
  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort);
  try {
    while (!signal.aborted) {
      if (isNew) {
        isNew = false;
        yield;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    unwatch();
    signal.removeEventListener('abort', onAbort);
  }
}
