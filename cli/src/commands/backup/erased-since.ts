import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  keySubject,
  operationsEvents,
  parserOf,
  streamCategory,
  streamSubject,
  transactionEvents,
} from '@oja/domain';
import { type EventStore, files, isPosition, type Plan, type Position } from '@oja/platform';
import { withContext } from '../../runtime/context.js';
import { outcomeOf } from '../../terminal/outcome.js';
import { sayNote } from '../../terminal/output.js';
import type { BackupPart } from './retention.js';

const { BuyerRecordRemoved } = transactionEvents;
const { SubjectErased } = operationsEvents;
const parse = parserOf({ BuyerRecordRemoved, SubjectErased });

/** The positions in the log between which an erased person's key existed. */
interface Lifetime {
  /** Null: since before the first event that was read. */
  readonly from: Position | null;
  readonly to: Position;
}

/** The key lifetimes of everybody who was erased after this position. */
async function erasedAfter(eventStore: EventStore, after: Position | null) {
  const begun = new Map<string, Position>();
  const erased = new Map<string, Lifetime>();
  for await (const { stream, revision, position, type, data } of eventStore.readAll({ after })) {
    if (revision === 0) begun.set(`${streamCategory(stream)}:${streamSubject(stream)}`, position);
    const event = parse(type, data);
    if (event === null) continue;
    const subject =
      event.type === 'SubjectErased'
        ? event.data.subject
        : keySubject('transaction', event.data.transactionId);
    // A person who is erased twice, as after a restore, counts from the first time.
    if (!erased.has(subject))
      erased.set(subject, { from: begun.get(subject) ?? null, to: position });
  }
  return [...erased.values()];
}

/** How many erased people have their key in a copy of the keys that was made when the log's head was `head`. */
const heldAt = (head: Position, erased: readonly Lifetime[]): number =>
  erased.filter(({ from, to }) => to > head && (from === null || from <= head)).length;

/**
 * For each backup of this market's keys, by name: how many people who are erased by now still have their key in it.
 * Empty when there is no embedded market here, or it cannot be read; the backups are listed all the same.
 */
export async function stillHeld(
  { variables, dataDir }: Plan,
  found: readonly BackupPart[],
): Promise<ReadonlyMap<string, number>> {
  const none = new Map<string, number>();
  const isHere =
    variables.EVENTSTORE_URL === undefined &&
    variables.MONGODB_URL === undefined &&
    existsSync(join(dataDir, files.log));
  if (!isHere || !found.some(({ part }) => part === 'keys')) return none;
  try {
    return await withContext(
      async ({ engines: { eventStore }, logId }) => {
        const copies = found.flatMap(({ name, part, logId: of, head }) =>
          part === 'keys' && of === logId && head !== null && isPosition(head)
            ? [{ name, head }]
            : [],
        );
        const [oldest] = copies.map(({ head }) => head).sort();
        if (oldest === undefined) return none;
        const erased = await erasedAfter(eventStore, oldest);
        return new Map(copies.map(({ name, head }) => [name, heldAt(head, erased)]));
      },
      { moved: true },
    );
  } catch (error) {
    sayNote(`It is not known who has been erased since the backups: ${outcomeOf(error).sentence}`);
    return none;
  }
}
