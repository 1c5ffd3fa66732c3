import {
  canonicalJson,
  collectionName,
  type Documents,
  generationKey,
  type Operation,
} from '@oja/platform';
import { checkpointOf, commitRepair } from '../runner/pointer.js';
import type { Projection } from '../runner/projection.js';
import { readParkedStreams } from '../runner/quarantine.js';
import type { CleanCopy, DocumentPlace } from './copy.js';

type RepairResult =
  /** The documents that were repaired; empty when all were right. */
  | { readonly ok: true; readonly repaired: readonly DocumentPlace[] }
  /**
   * These streams are parked in the generation, and today's code can project events of theirs that wait. The copy
   * contains what they make of a document, and releasing them would add it once more.
   */
  | { readonly ok: false; readonly reason: 'parked'; readonly streams: readonly string[] }
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
    const streams = await projectableByNow(documents, model, copy);
    if (streams.length > 0) return { ok: false, reason: 'parked', streams };
    const operations: Operation[] = [];
    const repaired: DocumentPlace[] = [];
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
    if (await commitRepair(documents, model, checkpoint, operations)) return { ok: true, repaired };
  }
  return { ok: false, reason: 'busy' };
}

/** The streams that wait in the generation, and not at the same event in the copy. */
async function projectableByNow(
  documents: Documents,
  model: string,
  copy: CleanCopy,
): Promise<readonly string[]> {
  const { parked } = await readParkedStreams(documents, model);
  const inCopy = new Set(copy.parked().map(({ eventId }) => eventId));
  return [...parked.values()]
    .filter(({ eventId }) => !inCopy.has(eventId))
    .map(({ stream }) => stream);
}
