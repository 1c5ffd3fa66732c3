import { nowOf } from '@oja/platform';
import { z } from 'zod';
import type { Answer } from '../../answers/index.js';
import type { AppContext } from '../../runtime/context.js';
import type { Source } from './source.js';
import { type Format, readLines, writeWholeFile } from './whole-file.js';

/** The first line of an export: its kind and format, and the log it comes from. */
const header = z.object({
  kind: z.literal('oja-export'),
  format: z.literal(1),
  logId: z.string(),
  at: z.string(),
});
type Header = z.infer<typeof header>;

/**
 * An event as it was recorded. Its position is in the log it came from, and serves only to translate events that
 * refer to a position of that log. Exports of earlier releases have no positions.
 */
export const line = z.object({
  position: z.string().optional(),
  stream: z.string().min(1),
  revision: z.number().int().min(0),
  id: z.uuid(),
  type: z.string().min(1),
  data: z.record(z.string(), z.json()),
  metadata: z.object({
    actor: z.string(),
    commandId: z.string(),
    correlationId: z.string(),
    causationId: z.string(),
    time: z.string(),
    schemaVersion: z.number().int(),
    traceparent: z.string().optional(),
  }),
});
export type Line = z.infer<typeof line>;

/** The last line: the number of events, and the SHA-256 of every byte before it, in hex. */
const trailer = z.object({
  kind: z.literal('oja-export-end'),
  events: z.number().int(),
  sha256: z.string(),
});
type Trailer = z.infer<typeof trailer>;

/** The events alone: personal values stay sealed, since the keys are not in it, and nobody can log in without State. */
export const exportFormat: Format<Header, Line, Trailer> = {
  name: 'export of Oja',
  kind: 'oja-export',
  format: 1,
  header,
  line,
  trailer,
  instead: {
    'oja-market': 'It contains a whole market: use oja move in; nothing was imported.',
  },
};

/** The events of an export that has been checked. */
export const eventsIn = (source: Source): AsyncIterable<Line> => readLines(source, exportFormat);

type Exported = Answer<'export'>;

/** The parts of a market that an export needs. */
interface Exporting extends Pick<AppContext, 'clock' | 'logId'> {
  readonly config: Pick<AppContext['config'], 'dataDir'>;
  readonly engines: { readonly eventStore: Pick<AppContext['engines']['eventStore'], 'readAll'> };
}

/** Writes the whole log as NDJSON with a checksum; the file appears only when complete. @throws as `writeWholeFile` */
export function exportLog(
  { config, engines, logId, clock }: Exporting,
  file: string,
  signal: AbortSignal,
  onProgress: (events: number) => void,
): Promise<Exported> {
  return writeWholeFile(file, config.dataDir, signal, async (writer) => {
    const at = nowOf({ clock });
    await writer.line({ kind: 'oja-export', format: 1, logId, at } satisfies Header);
    let events = 0;
    for await (const event of engines.eventStore.readAll({ after: null })) {
      await writer.line(event satisfies { readonly [K in keyof Line]: unknown });
      onProgress(++events);
    }
    const sha256 = await writer.end(
      (sum): Trailer => ({ kind: 'oja-export-end', events, sha256: sum }),
    );
    return { events, sha256 };
  });
}
