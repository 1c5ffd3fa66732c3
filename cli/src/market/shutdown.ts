/**
 * Calls `close` once, at the first Ctrl-C or termination; a second one ends the process at once.
 * The promise resolves when everything is closed.
 */
export function onShutdown(close: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    let asked = false;
    const ask = (signal: NodeJS.Signals) => {
      if (asked) process.exit(signal === 'SIGINT' ? 130 : 143);
      asked = true;
      close().then(resolve, reject);
    };
    process.on('SIGINT', ask);
    process.on('SIGTERM', ask);
  });
}
