/**
 * Yields at the start and after what `listen` tells, until the signal aborts; what is told while nobody waits is
 * one more turn. `listen` is given whom to tell, and answers how to stop.
 */
export async function* changesTold(
  listen: (tell: () => void) => () => void,
  signal: AbortSignal,
): AsyncIterable<void> {
  let isNew = true;
  let wake = () => {};
  const unlisten = listen(() => {
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
    unlisten();
    signal.removeEventListener('abort', onAbort);
  }
}
