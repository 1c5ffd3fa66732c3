type Listener = (payload?: unknown) => void;

const listeners = new Map<string, Listener>();
/** What the app emitted: the event, then its arguments. */
export const emittedEvents: (readonly unknown[])[] = [];

/** Replaces socket.io-client by a connection that is up at once. */
export const io = () => ({
  active: true,
  connected: true,
  on(event: string, listener: Listener) {
    listeners.set(event, listener);
    if (event === 'connect') queueMicrotask(listener);
  },
  emit: (...args: readonly unknown[]) => void emittedEvents.push(args),
  disconnect: () => listeners.clear(),
  connect: () => {},
});

export function sendToApp(event: string, payload: unknown): void {
  listeners.get(event)?.(payload);
}

export function resetSocket(): void {
  listeners.clear();
  emittedEvents.length = 0;
}
