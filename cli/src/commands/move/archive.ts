import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { isPicture } from '../backup/manifest.js';
import { line as event, type Line } from '../transfer/export.js';
import type { Source } from '../transfer/source.js';
import { type Checked, checkWholeFile, type Format, readLines } from '../transfer/whole-file.js';

/** The first line of an archive. */
const header = z.object({
  kind: z.literal('oja-market'),
  format: z.literal(1),
  id: z.uuid(),
  at: z.string(),
  logId: z.string(),
  release: z.string(),
  demo: z.boolean(),
  /** Derived from KEYS_MASTER_KEY, so that a market can check whether it has the same key. */
  keysProbe: z.string(),
  /** The same for TOKEN_SECRET, which sessions depend on. */
  sessionsProbe: z.string(),
});
export type Header = z.infer<typeof header>;

const stateEntry = z.object({
  part: z.literal('state'),
  space: z.string(),
  key: z.string(),
  value: z.record(z.string(), z.json()),
  expiresAt: z.number().nullable(),
});
const keptKey = z.object({
  part: z.literal('keys'),
  subject: z.string(),
  /** Base64 of the key, wrapped under KEYS_MASTER_KEY; null: destroyed. */
  wrapped: z.base64().nullable(),
});
const picture = z.object({
  part: z.literal('pictures'),
  name: z.string().refine(isPicture),
  content: z.base64(),
});
const line = z.discriminatedUnion('part', [
  z.object({ part: z.literal('log'), event }),
  stateEntry,
  keptKey,
  picture,
]);
export type MarketLine = z.infer<typeof line>;
export type ArchivePart = MarketLine['part'];

const counts = z.object({
  log: z.number().int(),
  state: z.number().int(),
  keys: z.number().int(),
  pictures: z.number().int(),
});
/** How many lines each part has. */
export type Counts = z.infer<typeof counts>;

/** The last line; its counts show whether every part is complete. */
const trailer = z.object({ kind: z.literal('oja-market-end'), counts, sha256: z.string() });
export type Trailer = z.infer<typeof trailer>;

const format: Format<Header, MarketLine, Trailer> = {
  name: 'archive of a market',
  kind: 'oja-market',
  format: 1,
  header,
  line,
  trailer,
  instead: {
    'oja-export':
      'It contains only events: passwords, sessions, keys and pictures are missing, so nobody could log in and no order could be confirmed. If that is what you want, use oja import. Nothing was moved.',
  },
};

export const noCounts = (): { -readonly [P in ArchivePart]: number } => ({
  log: 0,
  state: 0,
  keys: 0,
  pictures: 0,
});

/** Reads and checks every line of an archive. @throws Exit 2 for anything but a whole archive. */
export function checkArchive(
  source: Source,
  signal: AbortSignal,
): Promise<Checked<Header, Trailer>> {
  const seen = noCounts();
  return checkWholeFile(source, format, signal, {
    add: ({ part }) => (seen[part] += 1),
    fits: (end) =>
      Object.entries(seen).every(([part, many]) => end.counts[part as ArchivePart] === many),
  });
}

/** The lines of one part; the archive must have been checked. */
export async function* linesOfPart<P extends ArchivePart>(
  source: Source,
  part: P,
): AsyncGenerator<Extract<MarketLine, { readonly part: P }>> {
  const isOfPart = (read: MarketLine): read is Extract<MarketLine, { readonly part: P }> =>
    read.part === part;
  for await (const read of readLines(source, format)) if (isOfPart(read)) yield read;
}

/** The events of a checked archive. */
export async function* eventsOf(source: Source): AsyncGenerator<Line> {
  for await (const read of linesOfPart(source, 'log')) yield read.event;
}

/** A value that is equal only for the same TOKEN_SECRET, and does not reveal it. Base64. */
export const sessionsProbeOf = (tokenSecret: string): string =>
  createHmac('sha256', tokenSecret).update('oja move').digest('base64');
