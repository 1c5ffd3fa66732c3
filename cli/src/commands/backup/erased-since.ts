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
import {
  type EventStore,
  files,
  isPosition,
  type Plan,
  type Position,
  positionOf,
} from '@oja/platform';
import { withContext } from '../../runtime/context.js';
import { toOutcome } from '../../terminal/outcome.js';
import { sayNote } from '../../terminal/output.js';
import type { BackupPart } from './retention.js';

const { BuyerRecordRemoved } = transactionEvents;
const { SubjectErased } = operationsEvents;
const parse = parserOf({ BuyerRecordRemoved, SubjectErased });

/** The subject that an event erases, whose key must be destroyed again after each restore; null for other events. */
export function erasedSubject(type: string, data: unknown): string | null {
  const event = parse(type, data);
  if (event === null) return null;
  return event.type === 'SubjectErased'
    ? event.data.subject
    : keySubject('transaction', event.data.transactionId);
}

/** When a person's key came to be or was destroyed: where in the log, and by the clock. */
interface Moment {
  readonly position: Position;
  /** ISO 8601. */
  readonly time: string;
}

/** The moments between which an erased person's key existed. */
interface Lifetime {
  /** Null: since before the first event that was read. */
  readonly from: Moment | null;
  readonly to: Moment;
}

/** The key lifetimes of everybody who was erased after this position. */
async function erasedAfter(eventStore: EventStore, after: Position | null) {
  const begun = new Map<string, Moment>();
  const erased = new Map<string, Lifetime>();
  for await (const { stream, revision, position, type, data, metadata } of eventStore.readAll({
    after,
  })) {
    const moment = { position, time: metadata.time };
    if (revision === 0) begun.set(`${streamCategory(stream)}:${streamSubject(stream)}`, moment);
    const subject = erasedSubject(type, data);
    if (subject === null) continue;
    // A person who is erased twice, as after a restore, counts from the first time.
    if (!erased.has(subject)) erased.set(subject, { from: begun.get(subject) ?? null, to: moment });
  }
  return [...erased.values()];
}

/** A copy of the keys, which was made while the log's head went from `head` to `headAfter`. */
interface KeysCopy {
  readonly name: string;
  /** When it was begun, in ISO 8601. */
  readonly at: string;
  readonly head: Position;
  readonly headAfter: Position;
}

/**
 * Whether the log may have gone on from before this copy, as after the restore of an older backup: then it is shorter, or
 * has something else at the copy's head, which came later than the copy.
 */
async function mayBeLeftBehind(eventStore: EventStore, { head, at }: KeysCopy): Promise<boolean> {
  const before = positionOf(BigInt(head) - 1n);
  for await (const { metadata } of eventStore.readAll({ after: before })) return metadata.time > at;
  return true;
}

/**
 * How many erased people have their key in a copy; those who were erased while it was made are counted as well. In a log
 * that may have gone on from before the copy, positions tell too little. There the clock counts too, and with it those
 * whose erasure was lost with the log that the copy was made of.
 */
const countHeld = (
  { head, headAfter, at }: KeysCopy,
  erased: readonly Lifetime[],
  isLeftBehind: boolean,
): number =>
  erased.filter(
    ({ from, to }) =>
      (to.position > head && (from === null || from.position <= headAfter)) ||
      (isLeftBehind && to.time > at && (from === null || from.time <= at)),
  ).length;

/** Null for a part that holds no keys, and for keys of an empty log. */
function keysCopyOf({ name, at, part, head, headAfter }: BackupPart): KeysCopy | null {
  if (part !== 'keys' || head === null || !isPosition(head)) return null;
  return {
    name,
    at,
    head,
    headAfter: headAfter != null && isPosition(headAfter) ? headAfter : head,
  };
}

/** As `countErasedIfReadable`, for a market that is open. */
export async function countErasedInBackups(
  { eventStore, logId }: { readonly eventStore: EventStore; readonly logId: string },
  found: readonly BackupPart[],
): Promise<ReadonlyMap<string, number>> {
  const copies = found.flatMap((part) => (part.logId === logId && keysCopyOf(part)) || []);
  const [oldest] = copies.map(({ head }) => head).sort();
  if (oldest === undefined) return new Map();
  const leftBehind: KeysCopy[] = [];
  for (const copy of copies) if (await mayBeLeftBehind(eventStore, copy)) leftBehind.push(copy);
  const erased = await erasedAfter(eventStore, leftBehind.length > 0 ? null : oldest);
  return new Map(
    copies.map((copy) => [copy.name, countHeld(copy, erased, leftBehind.includes(copy))]),
  );
}

/**
 * For each backup of this market's keys, by name: how many people who are erased by now still have their key in it.
 * Empty when there is no embedded market here, or it cannot be read; the backups are listed all the same.
 */
export async function countErasedIfReadable(
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
      ({ engines: { eventStore }, logId }) => countErasedInBackups({ eventStore, logId }, found),
      { mayBeMoved: true },
    );
  } catch (error) {
    sayNote(`It is not known who has been erased since the backups: ${toOutcome(error).sentence}`);
    return none;
  }
}
