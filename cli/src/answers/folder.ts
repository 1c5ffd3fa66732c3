import { z } from 'zod';
import { bytes, count, instant, position, seconds } from './parts.js';

const counts = z
  .strictObject({ log: count, state: count, keys: count, pictures: count })
  .describe('Number of entries in each part.');

const movedOut = z
  .strictObject({ id: z.string(), counts, sha256: z.string() })
  .describe('Printed only if a file is written; with `-`, standard output has the market itself.');

const movedIn = z.strictObject({
  already: z.boolean().describe('True if this market was moved in before; nothing was done.'),
  added: count.describe('Number of events that were not there before.'),
  counts,
});

const removed = z.array(
  z.strictObject({
    name: z.string(),
    at: instant,
    bytes: bytes.describe('Size of both parts together, as they were stored.'),
    withKeys: z.boolean().describe('False if its keys were not at the place of the keys.'),
  }),
);
const removedKeys = z
  .array(z.strictObject({ name: z.string(), at: instant, bytes }))
  .describe('With --lone-keys: keys that were deleted although their backup is not at the place.');

const backedUp = z.strictObject({
  folder: z.string(),
  keysFolder: z.string(),
  head: position.nullable(),
  files: count,
  bytes,
  encrypted: z.boolean(),
  removed: removed.describe('Older backups that were deleted because of --keep or --keep-days.'),
});

const backup = z.strictObject({
  name: z.string(),
  part: z.enum(['market', 'keys']),
  id: z.string().describe('Id of the backup, the same in both of its parts.'),
  at: instant.describe('Time at which the backup was started.'),
  logId: z.string(),
  head: position.nullable().describe('Null if the log was empty or the position is unknown.'),
  files: count,
  bytes,
  encrypted: z.boolean(),
  whole: z.boolean().describe('True if every file in the manifest is present with the right size.'),
  erasedStillHeld: count
    .nullable()
    .describe(
      'Number of people who have been erased since but whose keys it still holds; null if unknown.',
    ),
});

const restored = z.strictObject({
  dataDir: z.string(),
  at: instant.describe('Time at which the backup was made.'),
  head: position.nullable(),
  erasedAgain: count.describe(
    'Number of people who have been erased since the backup; they stay erased.',
  ),
  modelsLeftOut: z.boolean().describe('True if the next start rebuilds the read models.'),
  damaged: z
    .array(z.string())
    .describe(
      'Databases that are damaged in the backup and were left out: the market rebuilds them.',
    ),
});

const step = z.strictObject({
  step: z.enum(['backup', 'restore', 'replay', 'verify', 'erase']),
  ok: z.boolean(),
  seconds,
  told: z.string().describe('What was done, or why the step failed.'),
});

export const folderAnswers = {
  'move out': { schema: movedOut },
  'move in': {
    schema: z.union([movedIn, z.strictObject({ ...movedIn.shape, dryRun: z.literal(true) })]),
  },
  'move reopen': { schema: z.strictObject({ id: z.string(), open: z.literal(true) }) },
  backup: { schema: backedUp },
  'backup list': { schema: z.array(backup).describe('Newest first.') },
  'backup prune': { schema: z.strictObject({ removed, removedKeys, dryRun: z.boolean() }) },
  'backup key': { schema: z.strictObject({ file: z.string(), recipient: z.string() }) },
  restore: { schema: restored },
  drill: { schema: z.strictObject({ ok: z.boolean(), seconds, steps: z.array(step) }) },
} as const;
