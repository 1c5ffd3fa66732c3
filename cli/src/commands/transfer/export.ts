import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { Exit, exitCodes } from '../../market/exit.js';
import type { Ground } from '../../market/part.js';
import type { Header, Line, Trailer } from './format.js';

export interface Exported {
  readonly events: number;
  readonly sha256: string;
}

/** What is exported. */
export interface Source extends Pick<Ground, 'clock' | 'logId'> {
  readonly engines: { readonly eventStore: Pick<Ground['engines']['eventStore'], 'readAll'> };
}

/** So much is gathered before it is written. */
const CHUNK = 64 * 1024;

async function write(
  { engines, logId, clock }: Source,
  out: NodeJS.WritableStream,
  signal: AbortSignal,
  onProgress: (events: number) => void,
): Promise<Exported> {
  const hash = createHash('sha256');
  let chunk = '';
  async function flush(): Promise<void> {
    hash.update(chunk);
    const room = out.write(chunk);
    chunk = '';
    if (!room) await once(out, 'drain');
    signal.throwIfAborted();
  }
  const at = new Date(clock.now()).toISOString();
  chunk = `${JSON.stringify({ kind: 'oja-export', format: 1, logId, at } satisfies Header)}\n`;
  let events = 0;
  for await (const event of engines.eventStore.readAll({ after: null })) {
    chunk += `${JSON.stringify(event satisfies { readonly [K in keyof Line]: unknown })}\n`;
    events += 1;
    if (chunk.length < CHUNK) continue;
    await flush();
    onProgress(events);
  }
  await flush();
  const sha256 = hash.digest('hex');
  out.write(`${JSON.stringify({ kind: 'oja-export-end', events, sha256 } satisfies Trailer)}\n`);
  return { events, sha256 };
}

/** Writes the whole log as NDJSON, checksummed; to a file only once all of it is there. */
export async function exportLog(
  ground: Source,
  file: string | null,
  signal: AbortSignal,
  onProgress: (events: number) => void,
): Promise<Exported> {
  if (file === null) return write(ground, process.stdout, signal, onProgress);
  if (existsSync(file))
    throw new Exit(exitCodes.usage, `${file} is there already: name another file or delete it.`);
  const draft = `${file}.part`;
  const out = createWriteStream(draft, { mode: 0o600 });
  await once(out, 'open').catch((error: Error) => {
    throw new Exit(exitCodes.usage, `${file} cannot be written: ${error.message}.`);
  });
  try {
    const exported = await write(ground, out, signal, onProgress);
    await new Promise<void>((resolve, reject) => out.end(resolve).once('error', reject));
    await rename(draft, file);
    return exported;
  } finally {
    out.destroy();
  }
}
