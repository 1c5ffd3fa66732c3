import { generationKey, type ParkedStream, QUARANTINE } from '@oja/platform';
import { createCleanCopy, type Place, type Projection, pointerOf, repair } from '@oja/projector';
import type { AppContext } from '../../runtime/context.js';
import { Exit, exitCodes } from '../../terminal/exit.js';
import { createProgress } from '../../terminal/progress.js';
import { recordAndRelease } from '../quarantine.js';
import { countEvents } from '../shared/event-progress.js';
import { existingStream } from '../shared/streams.js';

/** Releases the stream first if it is parked: its documents lack exactly the events that wait. */
async function released(
  context: AppContext,
  projection: Projection,
  generation: number,
  stream: string,
): Promise<void> {
  const { documents } = context.engines;
  const id = `${generationKey(projection, generation)}/${stream}`;
  if ((await documents.get<ParkedStream>(QUARANTINE, id)) === null) return;
  const { name } = projection;
  const why = { how: 'retry', reason: 'repair' } as const;
  const result = await recordAndRelease(context, { projection, generation, stream }, why);
  if (!result.ok && result.reason === 'poisoned') {
    throw new Exit(
      exitCodes.failed,
      `${stream} stays parked: ${result.poison.error}. See oja quarantine show ${name} ${stream}.`,
    );
  }
}

/**
 * Sets the documents of the live generation that one stream has touched to what a clean rebuild gives.
 * Returns those that were wrong. @throws Exit 1 when the stream stays parked, when another waits that can be
 * projected now, or when the market is too busy.
 */
export async function repairStream(
  context: AppContext,
  projection: Projection,
  text: string,
  signal: AbortSignal,
): Promise<readonly Place[]> {
  const { eventStore, documents } = context.engines;
  const stream = await existingStream(context, text);
  const pointer = await pointerOf(documents, projection);
  if (pointer === null)
    throw new Exit(exitCodes.failed, `No projector has begun ${projection.name} yet.`);
  await released(context, projection, pointer.live, stream);
  const total = await countEvents(eventStore, null, signal);
  const progress = createProgress(`${projection.name}: building`);
  const copy = await createCleanCopy({
    eventStore,
    projection,
    signal,
    trace: stream,
    onProgress: (events) => progress.at(events, total),
  });
  try {
    const result = await repair(documents, projection, pointer.live, copy);
    if (result.ok) return result.repaired;
    if (result.reason === 'parked') {
      const retries = result.streams.map(
        (parked) => `oja quarantine retry ${projection.name} ${parked}`,
      );
      throw new Exit(
        exitCodes.failed,
        `Nothing was repaired: what waits in quarantine can be projected now, and would count twice later. First: ${retries.join('; ')}.`,
      );
    }
    throw new Exit(exitCodes.failed, 'The market was too busy to be repaired; try again.');
  } finally {
    progress.end();
    await copy.close();
  }
}
