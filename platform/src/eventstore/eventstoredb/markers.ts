/**
 * Keeps what the client announces beside its events in the events' order. The client announces as soon
 * as it hears, while events still wait to be taken: an announcement is due when all the events that came
 * before it have been taken, and not a moment earlier.
 */
export class Markers<M> {
  readonly #queue: { readonly after: number; readonly marker: M }[] = [];

  /** `received`: how many events had come before it. */
  put(marker: M, received: number): void {
    this.#queue.push({ after: received, marker });
  }

  /** The next one whose turn it is, once `taken` events have been taken; null: an event is next. */
  due(taken: number): M | null {
    const first = this.#queue[0];
    if (first === undefined || first.after > taken) return null;
    this.#queue.shift();
    return first.marker;
  }
}
