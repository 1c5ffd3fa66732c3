/** A binary heap; the item that comes before all others is on top. */
export class Heap<T> {
  readonly #items: T[] = [];
  readonly #before: (one: T, other: T) => boolean;

  constructor(before: (one: T, other: T) => boolean) {
    this.#before = before;
  }

  top(): T | null {
    return this.#items[0] ?? null;
  }

  push(item: T): void {
    const items = this.#items;
    items.push(item);
    for (let at = items.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!this.#swap(at, parent)) return;
      at = parent;
    }
  }

  pop(): T | null {
    const items = this.#items;
    const [top] = items;
    const last = items.pop();
    if (top === undefined || last === undefined) return null;
    if (items.length === 0) return top;
    items[0] = last;
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      if (left >= items.length) return top;
      const child = right < items.length && this.#isBefore(right, left) ? right : left;
      if (!this.#swap(child, at)) return top;
      at = child;
    }
  }

  #isBefore(one: number, other: number): boolean {
    const [a, b] = [this.#items[one], this.#items[other]];
    return a !== undefined && b !== undefined && this.#before(a, b);
  }

  /** Swaps the two if `one` belongs before `other`; returns whether it did. */
  #swap(one: number, other: number): boolean {
    if (!this.#isBefore(one, other)) return false;
    const [a, b] = [this.#items[one], this.#items[other]];
    if (a === undefined || b === undefined) return false;
    this.#items[one] = b;
    this.#items[other] = a;
    return true;
  }
}
