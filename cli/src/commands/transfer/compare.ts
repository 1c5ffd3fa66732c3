import type { EventStore } from '@oja/platform';
import { Exit, exitCodes } from '../../market/exit.js';
import type { Line } from './format.js';

/** An export beside the log that it is to be brought into. */
export interface Compared {
  /** Events that would be added. */
  readonly added: number;
  /** Events that are there already. */
  readonly known: number;
  /** Events of the log that are not in the export. */
  readonly beyond: number;
}

/**
 * Looks at every event of an export before the first is appended.
 * @throws Exit 1 naming the first stream that holds another event; nothing has happened then.
 */
export async function compareWithLog(
  eventStore: Pick<EventStore, 'readAll'>,
  events: AsyncIterable<Line>,
  signal: AbortSignal,
): Promise<Compared> {
  const there = new Map<string, string[]>();
  let all = 0;
  for await (const { stream, id } of eventStore.readAll({ after: null })) {
    const ids = there.get(stream);
    if (ids === undefined) there.set(stream, [id]);
    else ids.push(id);
    all += 1;
    signal.throwIfAborted();
  }
  let [added, known] = [0, 0];
  for await (const { stream, revision, id } of events) {
    const found = there.get(stream)?.[revision];
    if (found !== undefined && found !== id)
      throw new Exit(
        exitCodes.failed,
        `The stream ${stream} holds another event at revision ${revision}: this market is not the one the export came from, nor a copy of it. Nothing was imported.`,
      );
    if (found === undefined) added += 1;
    else known += 1;
    signal.throwIfAborted();
  }
  return { added, known, beyond: all - known };
}
