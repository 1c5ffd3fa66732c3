/** Registers the worker that keeps shell, catalogue and cart usable offline. A browser that refuses goes on without. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  addEventListener('load', () => {
    navigator.serviceWorker
      .register('/service-worker.js')
      .catch((error: unknown) => console.error(error));
  });
}
