import type {
  CollectionSpec,
  Condition,
  Document,
  Documents,
  Guard,
  Operation,
  Page,
  Query,
  Scalar,
} from '@oja/platform';

/** Documents in memory. With `beforeCommit` a test acts as another projector or a failing disk. */
export class MemoryDocuments implements Documents {
  readonly commitMs: number = 20;
  readonly loadMs: number = 20;
  readonly loadEvents: number = 1_000;
  readonly tables = new Map<string, Map<string, string>>();
  beforeCommit: () => Promise<void> = async () => {};
  #news: (() => void)[] = [];

  async ensure(collections: readonly CollectionSpec[]): Promise<void> {
    for (const { name } of collections) {
      if (!this.tables.has(name)) this.tables.set(name, new Map());
    }
  }

  collections = async () => [...this.tables.keys()];
  drop = async (collection: string) => void this.tables.delete(collection);
  misindexed = async () => [];
  close = async () => {};

  async *changes(signal: AbortSignal): AsyncGenerator<void, void> {
    let wake = () => {};
    signal.addEventListener('abort', () => wake(), { once: true });
    while (!signal.aborted) {
      // Registered before the yield, so that a commit in between is not missed.
      const next = new Promise<void>((resolve) => {
        wake = resolve;
        this.#news.push(resolve);
      });
      yield;
      await next;
    }
  }

  async get<D extends Document>(collection: string, id: string): Promise<D | null> {
    const text = this.#table(collection).get(id);
    return text === undefined ? null : (JSON.parse(text) as D);
  }

  async getMany<D extends Document>(collection: string, ids: readonly string[]) {
    return Promise.all(ids.map((id) => this.get<D>(collection, id)));
  }

  async find<D extends Document>(collection: string, query: Query): Promise<Page<D>> {
    const items = [...this.#table(collection)]
      .map(([id, text]) => ({ id, document: JSON.parse(text) as D }))
      .filter(({ document }) => (query.filter ?? []).every((c) => holds(document, c)))
      .sort((a, b) => bySort(query, a, b))
      .filter(({ id }) => query.cursor === undefined || id > query.cursor);
    const page = items.slice(0, query.limit ?? items.length);
    return { items: page, next: page.length < items.length ? (page.at(-1)?.id ?? null) : null };
  }

  async count(collection: string, filter: readonly Condition[]): Promise<number> {
    return (await this.find(collection, { filter })).items.length;
  }

  async facets(collection: string, filter: readonly Condition[], fields: readonly string[]) {
    const { items } = await this.find(collection, { filter });
    return Object.fromEntries(
      fields.map((field) => {
        const counts = new Map<Scalar, number>();
        for (const { document } of items) {
          const value = scalar(document[field]);
          counts.set(value, (counts.get(value) ?? 0) + 1);
        }
        return [field, [...counts].map(([value, count]) => ({ value, count }))];
      }),
    );
  }

  async commit(operations: readonly Operation[], guards: readonly Guard[] = []) {
    await this.beforeCommit();
    for (const { collection, id, expected } of guards) {
      const now = this.#table(collection).get(id) ?? null;
      if (now !== (expected === null ? null : canonical(expected))) return 'guard-failed' as const;
    }
    for (const operation of operations) {
      const table = this.#table(operation.collection);
      if (operation.type === 'put') table.set(operation.id, canonical(operation.document));
      else table.delete(operation.id);
    }
    for (const wake of this.#news.splice(0)) wake();
    return 'committed' as const;
  }

  #table(name: string): Map<string, string> {
    const table = this.tables.get(name);
    if (table === undefined) throw new Error(`there is no collection ${name}`);
    return table;
  }
}

/** JSON with sorted object keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

function holds(document: Document, condition: Condition): boolean {
  const value = scalar(document[condition.field]);
  switch (condition.op) {
    case 'eq':
      return value === condition.value;
    case 'ne':
      return value !== condition.value;
    case 'in':
      return condition.values.includes(value);
    case 'words':
      return condition.words.every((word) => String(value).includes(word));
    case 'contains': {
      const list = document[condition.field];
      return Array.isArray(list) && list.includes(condition.value);
    }
    default:
      return compared(value, condition.op, condition.value);
  }
}

function compared(value: Scalar, op: 'gt' | 'gte' | 'lt' | 'lte', than: Scalar): boolean {
  if (value === null || than === null || typeof value !== typeof than) return false;
  if (op === 'gt') return value > than;
  if (op === 'gte') return value >= than;
  return op === 'lt' ? value < than : value <= than;
}

function bySort(
  query: Query,
  a: { readonly id: string; readonly document: Document },
  b: { readonly id: string; readonly document: Document },
): number {
  for (const { field, order } of query.sort ?? []) {
    const [one, other] = [scalar(a.document[field]), scalar(b.document[field])];
    if (one === other || one === null || other === null) continue;
    return one < other === (order === 'asc') ? -1 : 1;
  }
  return a.id < b.id ? -1 : 1;
}

function scalar(value: unknown): Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : null;
}
