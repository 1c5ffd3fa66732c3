import { randomUUID } from 'node:crypto';
import type { EventStore, Position } from '@oja/platform';
import { v5 } from 'uuid';
import { type SampleStream, sampleCommandId } from './streams.js';

/** Appends under way at once: enough for the log's group commit, little enough for its memory. */
const IN_FLIGHT = 1_000;

interface SampleWriter {
  /** Resolves when there is room for more; a failed append is told by `flush`. */
  write(stream: SampleStream): Promise<void>;
  /** Waits for all that was written; the position of the last of them. */
  flush(): Promise<Position | null>;
}

/** Thrown where a stream is there already and holds something else than this sample. */
class NotOurs extends Error {
  override readonly name = 'NotOurs';
}

/**
 * Begins streams with events whose ids follow from their names: what a killed seeding had written is
 * answered as the first time, so that seeding again finishes it.
 */
export function createSampleWriter(eventStore: EventStore): SampleWriter {
  const correlationId = randomUUID();
  const underWay = new Set<Promise<void>>();
  /** Who waits for room, told by who ends: a race of all that is under way would cost each of them. */
  const waiting: (() => void)[] = [];
  let failure: unknown = null;
  let last: Position | null = null;

  async function append({ stream, events, times }: SampleStream): Promise<void> {
    const commandId = sampleCommandId(stream);
    const appended = await eventStore.append(
      stream,
      'no-stream',
      events.map(({ type, data }, index) => ({
        id: v5(String(index), commandId),
        type,
        data,
        metadata: {
          actor: 'seed',
          commandId,
          correlationId,
          causationId: commandId,
          time: times[index] ?? times[0] ?? '',
          schemaVersion: 1,
        },
      })),
    );
    if (!appended.ok) throw new NotOurs(`${stream} is there already and is not a sample`);
    if (last === null || appended.position > last) last = appended.position;
  }

  return {
    async write(stream) {
      if (failure !== null) throw failure;
      if (underWay.size >= IN_FLIGHT) {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
        });
      }
      const one = append(stream)
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => {
          underWay.delete(one);
          waiting.shift()?.();
        });
      underWay.add(one);
    },
    async flush() {
      await Promise.all(underWay);
      if (failure !== null) throw failure;
      return last;
    },
  };
}
