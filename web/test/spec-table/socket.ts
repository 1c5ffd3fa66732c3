type Hear = (said?: unknown) => void;

const ears = new Map<string, Hear>();
/** What the app said over the line: event, then what came with it. */
export const saidToServer: (readonly unknown[])[] = [];

/** Stands in for socket.io-client: a line that is up at once. */
export const io = () => ({
  active: true,
  connected: true,
  on(event: string, hear: Hear) {
    ears.set(event, hear);
    if (event === 'connect') queueMicrotask(hear);
  },
  emit: (...said: readonly unknown[]) => void saidToServer.push(said),
  disconnect: () => ears.clear(),
  connect: () => {},
});

export function sayToApp(event: string, said: unknown): void {
  ears.get(event)?.(said);
}

export function newLine(): void {
  ears.clear();
  saidToServer.length = 0;
}
