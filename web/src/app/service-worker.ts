/** Registers the worker that keeps shell, catalogue and cart usable offline. A browser that refuses goes on without. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  // A page that the server rendered may be whole before its scripts get here: no 'load' would come any more.
  if (document.readyState === 'complete') register();
  else addEventListener('load', register, { once: true });
}

function register(): void {
  navigator.serviceWorker
    .register('/service-worker.js')
    .catch((error: unknown) => console.error(error));
}
