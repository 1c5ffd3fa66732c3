import { z } from 'zod';
import { bytes, count, instant, position, seconds } from './parts.js';

const counts = z
  .strictObject({ log: count, state: count, keys: count, pictures: count })
  .describe('How many of each part.');

const movedOut = z
  .strictObject({ id: z.string(), counts, sha256: z.string() })
  .describe('Where the file is - standard output has the market itself.');

const movedIn = z.strictObject({
  already: z.boolean().describe('It was brought in before: nothing was done.'),
  added: count.describe('Events that were not there before.'),
  counts,
});

const removed = z.array(
  z.strictObject({
    name: z.string(),
    at: instant,
    bytes: bytes.describe('Of both parts, as they lay there.'),
  }),
);

const backedUp = z.strictObject({
  folder: z.string(),
  keysFolder: z.string(),
  head: position.nullable(),
  files: count,
  bytes,
  encrypted: z.boolean(),
  removed: removed.describe('Older ones that went with --keep or --keep-days.'),
});

const backup = z.strictObject({
  name: z.string(),
  part: z.enum(['market', 'keys']),
  id: z.string().describe('The same in both parts of a backup.'),
  at: instant.describe('When it was begun.'),
  logId: z.string(),
  head: position.nullable().describe('Null where the log was empty, or that is not known.'),
  files: count,
  bytes,
  encrypted: z.boolean(),
  whole: z.boolean().describe('Every file of its manifest is there, with as many bytes.'),
  erasedStillHeld: count
    .nullable()
    .describe('People erased since whose keys it holds; null where that is not known.'),
});

const restored = z.strictObject({
  dataDir: z.string(),
  at: instant.describe('When the backup was made.'),
  head: position.nullable(),
  erasedAgain: count.describe('People erased since then, who stay erased.'),
  modelsLeftOut: z.boolean().describe('The next start builds the read models anew.'),
});

const step = z.strictObject({
  step: z.enum(['backup', 'restore', 'replay', 'verify', 'erase']),
  ok: z.boolean(),
  seconds,
  told: z.string().describe('What was done, or why it could not be.'),
});

export const ofFolder = {
  'move out': { schema: movedOut },
  'move in': {
    schema: z.union([movedIn, z.strictObject({ ...movedIn.shape, dryRun: z.literal(true) })]),
  },
  'move reopen': { schema: z.strictObject({ id: z.string(), open: z.literal(true) }) },
  backup: { schema: backedUp },
  'backup list': { schema: z.array(backup).describe('The newest first.') },
  'backup prune': { schema: z.strictObject({ removed, dryRun: z.boolean() }) },
  'backup key': { schema: z.strictObject({ file: z.string(), recipient: z.string() }) },
  restore: { schema: restored },
  drill: { schema: z.strictObject({ ok: z.boolean(), seconds, steps: z.array(step) }) },
} as const;
