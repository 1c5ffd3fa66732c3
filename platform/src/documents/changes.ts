/**
 * Yields at the start and after each notification, until the signal aborts; all notifications while the
 * consumer is busy yield once more. `listen` gets the function to call on a change, and returns the function
 * that stops it.
 */
export async function* changesOf(
  listen: (notify: () => void) => () => void,
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
