import { setTimeout as wait } from 'node:timers/promises';
import {
  CHECKPOINTS,
  type Checkpoint,
  canonicalJson,
  collectionName,
  type Document,
  type Documents,
  eachPage,
  generationKey,
  isSpreading,
  type Position,
} from '@oja/platform';
import type { Projection } from '../runner/projection.js';
import type { CleanCopy, DocumentPlace } from './copy.js';

/** Documents, and the position of the model when they were read. */
interface Snapshot {
  readonly position: Position | null;
  /** Whether some of its documents may show the event after the position. */
  readonly spreading: boolean;
  readonly documents: readonly (Document | null)[];
}

/** One of the two models that are compared. */
export interface ComparedModel {
  readonly documents: Documents;
  physical(collection: string): string;
  /** The documents in the order of `ids`, all read at the same position, unless `spreading`. */
  read(collection: string, ids: readonly string[]): Promise<Snapshot>;
  position(): Promise<Position | null>;
  /** Moves to the position if it can; returns the documents that this has changed, as far as known. */
  moveTo(position: Position | null): Promise<readonly DocumentPlace[]>;
}

/** Pause before a model that moved during a read is read again, in milliseconds. */
const REREAD_PAUSE_MS = 2;

/** A generation, which a projector may be feeding. */
export function comparedGeneration(
  documents: Documents,
  projection: Projection,
  generation: number,
): ComparedModel {
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
        // A batch is committed with its checkpoint: if that is unchanged, the documents belong together.
        if (canonicalJson(before) === canonicalJson(after))
          return {
            position: after?.position ?? null,
            spreading: after !== null && isSpreading(after),
            documents: found,
          };
        await wait(REREAD_PAUSE_MS);
      }
    },
    moveTo: async () => [],
  };
}

/** A clean copy, which only the comparison moves. */
export function comparedCopy(copy: CleanCopy): ComparedModel {
  return {
    documents: copy.documents,
    physical: copy.physical,
    position: async () => copy.position(),
    async read(collection, ids) {
      const documents = await copy.documents.getMany(copy.physical(collection), ids);
      return { position: copy.position(), spreading: false, documents };
    },
    moveTo: copy.advance,
  };
}

/**
 * `missing` and `extra` describe the live model. `moving`: the two models were never at the same
 * event while the document was compared. `misindexed`: the document is right, but an index of the
 * live model is not, so its queries are wrong.
 */
export interface Difference extends DocumentPlace {
  readonly kind: 'missing' | 'extra' | 'different' | 'moving' | 'misindexed';
  /** For 'different', 'moving' and 'misindexed': the top-level fields that differ. */
  readonly fields: readonly string[];
}

export interface Comparison {
  /** The number of documents compared, on the live side. */
  readonly documents: number;
  readonly differences: readonly Difference[];
}

interface CompareOptions {
  readonly signal: AbortSignal;
  /** How long is waited in all for two models to reach the same event, in ms. Default 20,000. */
  readonly timeoutMs?: number;
  /** Called now and then with the number of documents compared so far, and of all. */
  onProgress?(done: number, total: number): void;
}

const CHUNK = 200;
const PAUSE_MS = 5;
const MAX_WAIT_MS = 20_000;

const isSame = (a: Document | null, b: Document | null) => canonicalJson(a) === canonicalJson(b);

/** The fields of two documents that differ, sorted by name. */
function differingFields(a: Document | null, b: Document | null): readonly string[] {
  if (a === null || b === null) return [];
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
  return names.filter(
    (name) =>
      canonicalJson(a[name] ?? null) !== canonicalJson(b[name] ?? null) || name in a !== name in b,
  );
}

/**
 * Compares two models document by document while both may move. Documents that look different, or
 * changed meanwhile, are compared again with both models at the same event.
 */
export async function compare(
  projection: Projection,
  live: ComparedModel,
  other: ComparedModel,
  options: CompareOptions,
): Promise<Comparison> {
  const { signal } = options;
  const names = Object.keys(projection.collections);
  const suspects = new Map<string, DocumentPlace>();
  const suspect = (place: DocumentPlace) => suspects.set(JSON.stringify(place), place);
  let total = 0;
  for (const name of names)
    for (const side of [live, other]) total += await side.documents.count(side.physical(name), []);
  let done = 0;
  let documents = 0;

  async function scan(name: string, of: ComparedModel, against: ComparedModel): Promise<number> {
    let seen = 0;
    for await (const chunk of eachPage(of.documents, of.physical(name), { limit: CHUNK })) {
      const found = await against.documents.getMany(
        against.physical(name),
        chunk.map(({ id }) => id),
      );
      chunk.forEach(({ id, document }, i) => {
        if (!isSame(document, found[i] ?? null)) suspect({ collection: name, id });
      });
      seen += chunk.length;
      done += chunk.length;
      options.onProgress?.(done, Math.max(total, done));
      signal.throwIfAborted();
    }
    return seen;
  }

  for (const name of names) {
    documents += await scan(name, live, other);
    await scan(name, other, live);
  }
  for (const place of await other.moveTo(await live.position())) suspect(place);

  const differences: Difference[] = [];
  // Once for all: a model that stands in the middle of an event would be waited for with each chunk.
  const budget = { leftMs: options.timeoutMs ?? MAX_WAIT_MS, signal };
  for (const name of names) {
    const ids = [...suspects.values()].flatMap(({ collection, id }) =>
      collection === name ? [id] : [],
    );
    for (let i = 0; i < ids.length; i += CHUNK)
      differences.push(...(await recompare(name, ids.slice(i, i + CHUNK), live, other, budget)));
  }
  for (const name of names) {
    signal.throwIfAborted();
    for (const { id, fields } of await live.documents.misindexed(live.physical(name)))
      differences.push({ collection: name, id, kind: 'misindexed', fields });
  }
  return { documents, differences };
}

/** What is left of the time to wait. */
interface WaitBudget {
  leftMs: number;
  readonly signal: AbortSignal;
}

/** Compares suspect documents again, with both sides at the same event if that succeeds in time. */
async function recompare(
  collection: string,
  ids: readonly string[],
  live: ComparedModel,
  other: ComparedModel,
  budget: WaitBudget,
): Promise<readonly Difference[]> {
  for (;;) {
    budget.signal.throwIfAborted();
    const began = performance.now();
    const ours = await live.read(collection, ids);
    await other.moveTo(ours.position);
    const theirs = await other.read(collection, ids);
    const alike = ours.position === theirs.position && !ours.spreading && !theirs.spreading;
    const differing = ids.flatMap((id, i): Difference[] => {
      const [a = null, b = null] = [ours.documents[i], theirs.documents[i]];
      if (isSame(a, b)) return [];
      const kind = a === null ? 'missing' : b === null ? 'extra' : 'different';
      const fields = differingFields(a, b);
      return [{ collection, id, kind: alike ? kind : 'moving', fields }];
    });
    if (alike || budget.leftMs <= 0) return differing;
    await wait(PAUSE_MS);
    budget.leftMs -= performance.now() - began;
  }
}
