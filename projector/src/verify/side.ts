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
import type { Projection } from '../runner/projection.js';
import type { CleanCopy, Place } from './copy.js';

/** Documents, and where the model stood when it held them. */
export interface Moment {
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
