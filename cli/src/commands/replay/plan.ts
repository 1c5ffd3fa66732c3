import type { Position } from '@oja/platform';
import { createCleanCopy, type Projection } from '@oja/projector';
import type { ReplayAnswer } from '../../answers/index.js';
import type { AppContext } from '../../runtime/context.js';

type ReplayPlan = Omit<ReplayAnswer<'plan'>, 'room'>;

/** How many events are projected to measure how long one takes. */
const SAMPLE = 2_000;

/** Estimates the work and the time of a replay; only reads. */
export async function planReplay(
  { engines }: AppContext,
  projection: Projection,
  signal: AbortSignal,
): Promise<ReplayPlan> {
  const { eventStore } = engines;
  const wanted = new Set(projection.events);
  let [events, read, sample] = [0, 0, 0];
  let sampleEnd: Position | null = null;
  const began = performance.now();
  for await (const { type, position } of eventStore.readAll({ after: null })) {
    signal.throwIfAborted();
    events += 1;
    if (!wanted.has(type)) continue;
    read += 1;
    if (read <= SAMPLE) [sample, sampleEnd] = [read, position];
  }
  const reading = performance.now() - began;
  const copy = await createCleanCopy({ eventStore, projection, signal });
  const sampling = performance.now();
  try {
    await copy.advance(sampleEnd);
  } finally {
    await copy.close();
  }
  const each = sample === 0 ? 0 : (performance.now() - sampling) / sample;
  const seconds = (reading + each * read) / 1_000;
  return { projection: projection.name, version: projection.version, events, read, seconds };
}
