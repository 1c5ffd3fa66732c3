type Hear = (said?: unknown) => void;

const ears = new Map<string, Hear>();
/** What the app emitted: the event, then its arguments. */
export const emittedEvents: (readonly unknown[])[] = [];

/** Replaces socket.io-client by a connection that is up at once. */
export const io = () => ({
  active: true,
  connected: true,
  on(event: string, hear: Hear) {
    ears.set(event, hear);
    if (event === 'connect') queueMicrotask(hear);
  },
  emit: (...said: readonly unknown[]) => void emittedEvents.push(said),
  disconnect: () => ears.clear(),
  connect: () => {},
});

export function sendToApp(event: string, said: unknown): void {
  ears.get(event)?.(said);
}

export function newLine(): void {
  ears.clear();
  emittedEvents.length = 0;
}
