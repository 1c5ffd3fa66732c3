import { setTimeout as wait } from 'node:timers/promises';
import {
  CHECKPOINTS,
  type Checkpoint,
  canonicalJson,
  collectionName,
  type Document,
  type Documents,
  generationKey,
  type Position,
} from '@oja/platform';
import { everyOne } from '../runner/find-all.js';
import type { Projection } from '../runner/projection.js';
import type { CleanCopy, Place } from './copy.js';

/** Documents, and where the model stood when it held them. */
interface Moment {
  readonly position: Position | null;
  readonly documents: readonly (Document | null)[];
}

/** One of two models that are compared. */
export interface Side {
  readonly documents: Documents;
  physical(collection: string): string;
  /** In the order of `ids`, all of one moment. */
  read(collection: string, ids: readonly string[]): Promise<Moment>;
  position(): Promise<Position | null>;
  /** Stands at the position if it can; answers what that has changed, as far as it is known. */
  standAt(position: Position | null): Promise<readonly Place[]>;
}

/** Between two looks at a model that moved while it was read, in milliseconds. */
const NEXT_LOOK_MS = 2;

/** A generation that somebody may be feeding. */
export function generationSide(
  documents: Documents,
  projection: Projection,
  generation: number,
): Side {
  const key = generationKey(projection, generation);
  const physical = (collection: string) => collectionName(projection, generation, collection);
  const checkpoint = () => documents.get<Checkpoint>(CHECKPOINTS, key);
  return {
    documents,
    physical,
    position: async () => (await checkpoint())?.position ?? null,
    async read(collection, ids) {
      for (;;) {
        const before = await checkpoint();
        const found = await documents.getMany(physical(collection), ids);
        const after = await checkpoint();
        // A batch is committed with its checkpoint: the same one twice is the same moment.
        if (canonicalJson(before) === canonicalJson(after))
          return { position: after?.position ?? null, documents: found };
        await new Promise((resolve) => setTimeout(resolve, NEXT_LOOK_MS));
      }
    },
    standAt: async () => [],
  };
}

export function copySide(copy: CleanCopy): Side {
  return {
    documents: copy.documents,
    physical: copy.physical,
    position: async () => copy.position(),
    async read(collection, ids) {
      const documents = await copy.documents.getMany(copy.physical(collection), ids);
      return { position: copy.position(), documents };
    },
    standAt: copy.advance,
  };
}

/**
 * `missing` and `extra` are said of the live model. `moving`: the two never stood at the same event
 * while the document was looked at. `misindexed`: it is right, and queries of the live model take it for another.
 */
export interface Difference extends Place {
  readonly kind: 'missing' | 'extra' | 'different' | 'moving' | 'misindexed';
  /** Of 'different', 'moving' and 'misindexed': the top-level fields that are not the same. */
  readonly fields: readonly string[];
}

export interface Comparison {
  /** Documents looked at, on the live side. */
  readonly documents: number;
  readonly differences: readonly Difference[];
}

interface CompareOptions {
  readonly signal: AbortSignal;
  /** How long two models that are both fed may take to stand at the same event, in ms. Default 20,000. */
  readonly patienceMs?: number;
  /** Called now and then: of how many documents, how many were looked at. */
  onProgress?(done: number, total: number): void;
}

const CHUNK = 200;
const PAUSE_MS = 5;
const PATIENCE_MS = 20_000;

const same = (a: Document | null, b: Document | null) =>
  canonicalJson(a) === canonicalJson(b) && (a === null) === (b === null);

/** The fields of two documents that differ, in the order of their names. */
function differingFields(a: Document | null, b: Document | null): readonly string[] {
  if (a === null || b === null) return [];
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
  return names.filter(
    (name) =>
      canonicalJson(a[name] ?? null) !== canonicalJson(b[name] ?? null) || name in a !== name in b,
  );
}

/**
 * Compares two models document by document while both may move: whatever looks different, or was
 * changed meanwhile, is looked at again with both standing at the same event.
 */
export async function compare(
  projection: Projection,
  live: Side,
  other: Side,
  options: CompareOptions,
): Promise<Comparison> {
  const { signal } = options;
  const names = Object.keys(projection.collections);
  const suspects = new Map<string, Place>();
  const suspect = (place: Place) => suspects.set(JSON.stringify(place), place);
  let total = 0;
  for (const name of names)
    for (const side of [live, other]) total += await side.documents.count(side.physical(name), []);
  let done = 0;
  let documents = 0;

  async function scan(name: string, of: Side, against: Side): Promise<number> {
    let chunk: { readonly id: string; readonly document: Document }[] = [];
    let seen = 0;
    async function flush(): Promise<void> {
      const found = await against.documents.getMany(
        against.physical(name),
        chunk.map(({ id }) => id),
      );
      chunk.forEach(({ id, document }, i) => {
        if (!same(document, found[i] ?? null)) suspect({ collection: name, id });
      });
      seen += chunk.length;
      done += chunk.length;
      chunk = [];
      options.onProgress?.(done, Math.max(total, done));
      signal.throwIfAborted();
    }
    for await (const item of everyOne(of.documents, of.physical(name), {})) {
      chunk.push(item);
      if (chunk.length === CHUNK) await flush();
    }
    await flush();
    return seen;
  }

  for (const name of names) {
    documents += await scan(name, live, other);
    await scan(name, other, live);
  }
  for (const place of await other.standAt(await live.position())) suspect(place);

  const differences: Difference[] = [];
  for (const name of names) {
    const ids = [...suspects.values()].flatMap(({ collection, id }) =>
      collection === name ? [id] : [],
    );
    for (let i = 0; i < ids.length; i += CHUNK)
      differences.push(...(await settle(name, ids.slice(i, i + CHUNK), live, other, options)));
  }
  for (const name of names) {
    signal.throwIfAborted();
    for (const { id, fields } of await live.documents.misindexed(live.physical(name)))
      differences.push({ collection: name, id, kind: 'misindexed', fields });
  }
  return { documents, differences };
}

/** The last word on some documents: with both sides at the same event. */
async function settle(
  collection: string,
  ids: readonly string[],
  live: Side,
  other: Side,
  { signal, patienceMs = PATIENCE_MS }: CompareOptions,
): Promise<readonly Difference[]> {
  const until = performance.now() + patienceMs;
  for (;;) {
    signal.throwIfAborted();
    const ours = await live.read(collection, ids);
    await other.standAt(ours.position);
    const theirs = await other.read(collection, ids);
    const alike = ours.position === theirs.position;
    const differing = ids.flatMap((id, i): Difference[] => {
      const [a = null, b = null] = [ours.documents[i], theirs.documents[i]];
      if (same(a, b)) return [];
      const kind = a === null ? 'missing' : b === null ? 'extra' : 'different';
      const fields = differingFields(a, b);
      return [{ collection, id, kind: alike ? kind : 'moving', fields }];
    });
    if (alike || performance.now() > until) return differing;
    await wait(PAUSE_MS);
  }
}
