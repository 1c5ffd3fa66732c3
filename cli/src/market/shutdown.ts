/** npm passes a terminal's Ctrl-C on to us, who had it already: within this time it is the same one. */
const SAME_PRESS_MS = 500;

/**
 * Calls `close` at the first Ctrl-C or termination; pressing again while it closes ends the process at
 * once. The promise resolves when everything is closed.
 */
export function onShutdown(close: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    let askedAt: number | null = null;
    const ask = (signal: NodeJS.Signals) => {
      if (askedAt === null) {
        askedAt = performance.now();
        close().then(resolve, reject);
      } else if (performance.now() - askedAt > SAME_PRESS_MS) {
        process.exit(signal === 'SIGINT' ? 130 : 143);
      }
    };
    process.on('SIGINT', ask);
    process.on('SIGTERM', ask);
  });
}
