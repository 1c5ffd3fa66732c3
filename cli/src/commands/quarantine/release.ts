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

type Waiting = Pick<Parked, 'projection' | 'generation'> & { readonly stream: string };

/** Records what becomes of a parked stream and then does it. `skip`: revisions to pass over. */
export function recordAndRelease(
  { engines, clock }: Ground,
  { projection, generation, stream }: Waiting,
  { how, reason }: Pick<Release, 'how' | 'reason'>,
  skip: readonly number[] = [],
): ReturnType<typeof releaseStream> {
  const { eventStore, documents } = engines;
  const data = {
    projection: projection.name,
    stream,
    how,
    reason,
    at: new Date(clock.now()).toISOString(),
    ...(how === 'skip' && { skipped: [...skip] }),
  };
  const commandId = v7();
  return releaseStream({
    eventStore,
    documents,
    projection,
    generation,
    stream,
    skip,
    // Said before it is done: a rebuild must never stop at what the live model has passed over.
    decided: async () => {
      await record({ engines, clock }, { type: 'StreamReleased', data }, commandId);
    },
  });
}

/** Lets a parked stream follow the log again. @throws Exit 1 where it waits as before. */
export async function release(ground: Ground, parked: Parked, asked: Release): Promise<Released> {
  const { projection, generation } = parked;
  const { stream } = parked.stream;
  const waiting = { projection, generation, stream };
  const result = await recordAndRelease(ground, waiting, asked, skipped(parked, asked));
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
