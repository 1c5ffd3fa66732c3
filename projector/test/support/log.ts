import type {
  AppendResult,
  EventStore,
  EventToAppend,
  Position,
  RecordedEvent,
  SubscribeOptions,
  SubscriptionItem,
} from '@oja/platform';

/** A log in memory, for tests that append many thousands of events. */
export class MemoryLog implements EventStore {
  readonly events: RecordedEvent[] = [];
  #news: (() => void)[] = [];
  readonly #id: string;

  constructor(id = 'memory') {
    this.#id = id;
  }

  logId = async () => this.#id;
  head = async () => this.events.at(-1)?.position ?? null;
  close = async () => {};

  async append(
    stream: string,
    expected: number | 'no-stream',
    events: readonly EventToAppend[],
  ): Promise<AppendResult> {
    const revision = this.events.filter((event) => event.stream === stream).length - 1;
    const actual = revision < 0 ? 'no-stream' : revision;
    if (actual !== expected) return { ok: false, reason: 'wrong-revision', actual };
    this.record(events.map((event, i) => ({ ...event, stream, revision: revision + 1 + i })));
    const last = this.events.at(-1);
    if (last === undefined) throw new Error('nothing was appended');
    return { ok: true, revision: last.revision, position: last.position };
  }

  record(events: readonly Omit<RecordedEvent, 'position'>[]): void {
    for (const event of events) {
      this.events.push({ ...event, position: positionAt(this.events.length + 1) });
    }
    for (const wake of this.#news.splice(0)) wake();
  }

  async *readStream(stream: string, options: { readonly from?: number } = {}) {
    yield* this.events.filter(
      (event) => event.stream === stream && event.revision >= (options.from ?? 0),
    );
  }

  async *readAll(options: { readonly after: Position | null; readonly limit?: number }) {
    const { after } = options;
    const start = after === null ? 0 : Number(after);
    yield* this.events.slice(start, start + (options.limit ?? this.events.length));
  }

  async readLast(limit: number) {
    return limit <= 0 ? [] : this.events.slice(-limit);
  }

  async *subscribe(options: SubscribeOptions): AsyncGenerator<SubscriptionItem, void> {
    let next = options.after === null ? 0 : Number(options.after);
    let live = false;
    let wake = () => {};
    options.signal.addEventListener('abort', () => wake(), { once: true });
    while (!options.signal.aborted) {
      const event = this.events[next];
      if (event !== undefined) {
        next++;
        yield { kind: 'event', event };
      } else if (!live) {
        live = true;
        yield { kind: 'caught-up' };
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
          this.#news.push(resolve);
        });
      }
    }
  }
}

export function positionAt(number: number): Position {
  return String(number).padStart(20, '0') as Position;
}
