import {
  CHECKPOINTS,
  canonicalJson,
  collectionName,
  type Documents,
  generationKey,
  type Operation,
} from '@oja/platform';
import { checkpointOf } from '../runner/pointer.js';
import type { Projection } from '../runner/projection.js';
import type { CleanCopy, Place } from './copy.js';

type RepairResult =
  /** The documents that were repaired; empty when all were right. */
  | { readonly ok: true; readonly repaired: readonly Place[] }
  /** The checkpoint moved during every try. Try again. */
  | { readonly ok: false; readonly reason: 'busy' };

const TRIES = 200;

/**
 * Makes the documents that the traced stream has changed equal to those of the clean copy. Safe
 * while the generation is fed: both stand at the same event, and the generation's checkpoint is
 * guarded.
 */
export async function repair(
  documents: Documents,
  projection: Projection,
  generation: number,
  copy: CleanCopy,
): Promise<RepairResult> {
  const model = generationKey(projection, generation);
  for (let tries = 0; tries < TRIES; tries++) {
    const checkpoint = await checkpointOf(documents, projection, generation);
    if (checkpoint === null) return { ok: true, repaired: [] };
    await copy.advance(checkpoint.position);
    if (copy.position() !== checkpoint.position) continue;
    const operations: Operation[] = [];
    const repaired: Place[] = [];
    for (const place of copy.traced()) {
      const collection = collectionName(projection, generation, place.collection);
      const right = await copy.documents.get(copy.physical(place.collection), place.id);
      const now = await documents.get(collection, place.id);
      const isRight = canonicalJson(right) === canonicalJson(now);
      if (isRight && (await documents.misindexed(collection, [place.id])).length === 0) continue;
      repaired.push(place);
      // Delete it first: when only an index is wrong, putting the same document would write nothing.
      operations.push({ type: 'delete', collection, id: place.id });
      if (right !== null)
        operations.push({ type: 'put', collection, id: place.id, document: right });
    }
    if (operations.length === 0) return { ok: true, repaired };
    const document = { ...checkpoint, repairs: checkpoint.repairs + 1 };
    const outcome = await documents.commit(
      [...operations, { type: 'put', collection: CHECKPOINTS, id: model, document }],
      [{ collection: CHECKPOINTS, id: model, expected: checkpoint }],
    );
    if (outcome === 'committed') return { ok: true, repaired };
  }
  return { ok: false, reason: 'busy' };
}
