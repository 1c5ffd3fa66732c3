import type { Ground } from '../../market/part.js';
import type { Header, Line, Trailer } from './format.js';
import { writeWhole } from './whole.js';

export interface Exported {
  readonly events: number;
  readonly sha256: string;
}

/** What is exported. */
export interface Exporting extends Pick<Ground, 'clock' | 'logId'> {
  readonly engines: { readonly eventStore: Pick<Ground['engines']['eventStore'], 'readAll'> };
}

/** Writes the whole log as NDJSON, checksummed; to a file only once all of it is there. */
export function exportLog(
  { engines, logId, clock }: Exporting,
  file: string,
  signal: AbortSignal,
  onProgress: (events: number) => void,
): Promise<Exported> {
  return writeWhole(file, signal, async (writer) => {
    const at = new Date(clock.now()).toISOString();
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
