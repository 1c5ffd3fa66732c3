import { releaseStream } from '@oja/projector';
import { v7 } from 'uuid';
import { Exit, exitCodes } from '../../market/exit.js';
import type { Ground } from '../../market/part.js';
import { record } from '../shared/record.js';
import type { Parked } from './parked.js';

export interface Release {
  readonly how: 'retry' | 'skip';
  readonly reason: string;
  /** Revisions to pass over end with this one; 'skip' only. */
  readonly through?: number;
}

export interface Released {
  readonly model: string;
  readonly stream: string;
  readonly events: number;
}

/** From the first event that waits up to the last that is to be passed over. */
function skipped({ stream }: Parked, { how, through = stream.revision }: Release): number[] {
  if (how === 'retry') return [];
  const count = Math.max(1, through - stream.revision + 1);
  return Array.from({ length: count }, (_, i) => stream.revision + i);
}

/** Lets a parked stream follow the log again. @throws Exit 1 where it waits as before. */
export async function release(ground: Ground, parked: Parked, asked: Release): Promise<Released> {
  const { eventStore, documents } = ground.engines;
  const { projection, generation } = parked;
  const { stream } = parked.stream;
  const skip = skipped(parked, asked);
  const { how, reason } = asked;
  const at = new Date(ground.clock.now()).toISOString();
  const data = {
    projection: projection.name,
    stream,
    how,
    reason,
    at,
    ...(how === 'skip' && { skipped: skip }),
  };
  const commandId = v7();
  const result = await releaseStream({
    eventStore,
    documents,
    projection,
    generation,
    stream,
    skip,
    // Said before it is done: a rebuild must never stop at what the live model has passed over.
    decided: async () => {
      await record(ground, { type: 'StreamReleased', data }, commandId);
    },
  });
  if (!result.ok) {
    const { name } = projection;
    if (result.reason === 'poisoned') {
      const { event, error } = result.poison;
      throw new Exit(
        exitCodes.failed,
        `${stream} waits as before: ${event.type} at revision ${event.revision} cannot be projected: ${error}. Mend the code and retry, or oja quarantine skip ${name} ${stream} --through ${event.revision} --reason '…'.`,
      );
    }
    throw new Exit(exitCodes.failed, `${stream} was not released (${result.reason}); try again.`);
  }
  return { model: parked.stream.model, stream, events: result.events };
}
