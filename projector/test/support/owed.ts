import type { ObligationDocument, ObligationKind } from '@oja/contracts/models';
import { expect } from 'vitest';
import { obligations } from '../../src/projections/obligations/index.js';
import { MemoryDocuments } from './documents.js';
import { contents, follow } from './follow.js';
import { MemoryLog } from './log.js';

type Recorded = Parameters<MemoryLog['record']>[0];

/** What is owed after these events, by its id. In batches of one, each event reads what was stored before it. */
export async function owedOf(events: Recorded, batchSize = 500) {
  const log = new MemoryLog();
  log.record(events);
  const documents = new MemoryDocuments();
  await follow(log, documents, obligations, { batchSize });
  const { due = {} } = contents(documents, obligations);
  return new Map(
    Object.entries(due).map(([id, text]) => [id, JSON.parse(text) as ObligationDocument]),
  );
}

/** The subjects of this kind that are owed, and since when: the same whichever stream is read first. */
export async function dueOf(kind: ObligationKind, one: Recorded, other: Recorded) {
  const dueAfter = async (...streams: readonly Recorded[]) =>
    [...(await owedOf(streams.flat(), 1)).values()]
      .filter((owed) => owed.kind === kind)
      .map(({ subject, due }) => [subject, due]);
  const due = await dueAfter(one, other);
  expect(await dueAfter(other, one)).toEqual(due);
  return due;
}
